package dev.lasso.simulator;

import dev.lasso.simulator.node.BulkResult;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one response, read once from front to back: JSON text with bulk results woven in,
 * which are made only as they are read. Not thread-safe.
 */
final class ReplyBody {

  private final Deque<Object> parts = new ArrayDeque<>();
  private long size;
  private int inFirst;

  ReplyBody add(String text) {
    return add(text.getBytes(StandardCharsets.UTF_8));
  }

  ReplyBody add(byte[] bytes) {
    if (bytes.length > 0) {
      parts.addLast(bytes);
      size += bytes.length;
    }
    return this;
  }

  ReplyBody add(BulkResult bulk) {
    parts.addLast(bulk);
    size += bulk.size();
    return this;
  }

  /** Bytes of the whole body. */
  long size() {
    return size;
  }

  boolean isBulk() {
    return parts.stream().anyMatch(BulkResult.class::isInstance);
  }

  /** The next piece of at most {@code limit} bytes; null at the end. */
  byte @Nullable [] next(int limit) {
    while (!parts.isEmpty()) {
      switch (parts.getFirst()) {
        case byte[] bytes -> {
          int length = Math.min(limit, bytes.length - inFirst);
          byte[] piece = Arrays.copyOfRange(bytes, inFirst, inFirst + length);
          inFirst += length;
          if (inFirst == bytes.length) {
            parts.removeFirst();
            inFirst = 0;
          }
          return piece;
        }
        case BulkResult bulk -> {
          byte[] piece = bulk.next(limit);
          if (piece.length > 0) {
            return piece;
          }
          parts.removeFirst();
        }
        default -> throw new IllegalStateException("unknown part");
      }
    }
    return null;
  }

  /** Everything that is left, for bodies without bulk. */
  byte[] rest() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece = next(64 * 1024); piece != null; piece = next(64 * 1024)) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }
}
