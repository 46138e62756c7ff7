package dev.lasso.routing;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Immutable bytes with value equality. */
public final class Bytes {
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** Copies the given bytes. */
  public static Bytes copyOf(byte[] content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /** Copies the remaining bytes of the buffer, leaving its position alone. */
  public static Bytes copyOf(ByteBuffer buffer) {
    byte[] content = new byte[buffer.remaining()];
    buffer.duplicate().get(content);
    return new Bytes(content);
  }

  public int size() {
    return content.length;
  }

  /** A copy of the content. */
  public byte[] toArray() {
    return content.clone();
  }

  /** A read-only view of the content. */
  public ByteBuffer asBuffer() {
    return ByteBuffer.wrap(content).asReadOnlyBuffer();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
