package dev.lasso.simulator.node;

import java.nio.charset.StandardCharsets;

/**
 * The JSON of a trace of any size, produced piece by piece so that hundreds of mebibytes cost no
 * memory. Not thread-safe.
 */
public final class BulkResult {

  private static final byte[] PREFIX = ascii("[{\"result\":{\"structLogs\":[");
  private static final byte[] ENTRY =
      ascii(
          "{\"pc\":96,\"op\":\"PUSH1\",\"gas\":1000000,\"gasCost\":3,\"depth\":1,\"stack\":[\"0x80\"]}");
  private static final byte[] SUFFIX = ascii("]}}]");

  /** The smallest size a result can have, in bytes. */
  public static final int MINIMUM = PREFIX.length + SUFFIX.length;

  private final long bytes;
  private final long entriesEnd;
  private long position;

  /** A result of exactly the given size, at least {@link #MINIMUM}. */
  public BulkResult(long bytes) {
    this.bytes = Math.max(bytes, MINIMUM);
    long entries = (this.bytes - MINIMUM + 1) / (ENTRY.length + 1);
    this.entriesEnd = PREFIX.length + Math.max(0, entries * (ENTRY.length + 1) - 1);
  }

  /** Size of the whole result in bytes. */
  public long size() {
    return bytes;
  }

  /** The next piece, at most {@code limit} bytes; empty at the end. */
  public byte[] next(int limit) {
    byte[] piece = new byte[(int) Math.min(limit, bytes - position)];
    for (int i = 0; i < piece.length; i++) {
      piece[i] = at(position++);
    }
    return piece;
  }

  private byte at(long index) {
    if (index < PREFIX.length) {
      return PREFIX[(int) index];
    }
    if (index >= bytes - SUFFIX.length) {
      return SUFFIX[(int) (index - (bytes - SUFFIX.length))];
    }
    if (index >= entriesEnd) {
      return ' ';
    }
    int inEntry = (int) ((index - PREFIX.length) % (ENTRY.length + 1));
    return inEntry == ENTRY.length ? (byte) ',' : ENTRY[inEntry];
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
