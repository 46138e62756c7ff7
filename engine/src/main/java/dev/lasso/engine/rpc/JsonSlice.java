package dev.lasso.engine.rpc;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * One JSON value as the bytes it came as, inside a larger array that nobody changes any more. Keeps
 * the whole array alive, so it is for the time of one request; sizes are bytes.
 */
public final class JsonSlice {
  /** The value {@code null}. */
  public static final JsonSlice NULL = of("null");

  /** An empty array. */
  public static final JsonSlice EMPTY_ARRAY = of("[]");

  private final byte[] source;
  private final int from;
  private final int to;

  private JsonSlice(byte[] source, int from, int to) {
    this.source = source;
    this.from = from;
    this.to = to;
  }

  /**
   * The value between two positions; the array must not be changed afterwards.
   *
   * @throws IndexOutOfBoundsException when the range is not inside the array
   */
  public static JsonSlice of(byte[] source, int from, int to) {
    java.util.Objects.checkFromToIndex(from, to, source.length);
    return new JsonSlice(source, from, to);
  }

  /** The given JSON text, which the caller vouches for. */
  public static JsonSlice of(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new JsonSlice(bytes, 0, bytes.length);
  }

  public int size() {
    return to - from;
  }

  /** The array that holds the value; not to be changed. */
  public byte[] source() {
    return source;
  }

  /** Index of the first byte in {@link #source}. */
  public int from() {
    return from;
  }

  /** Index after the last byte in {@link #source}. */
  public int to() {
    return to;
  }

  /** Whether the value is {@code null}. */
  public boolean isNull() {
    return size() == 4 && source[from] == 'n';
  }

  /** Copies the value to the end of the buffer. */
  public Buffer appendTo(Buffer buffer) {
    return buffer.appendBytes(source, from, size());
  }

  /** A copy of the value that holds nothing else alive. */
  public byte[] toArray() {
    return java.util.Arrays.copyOfRange(source, from, to);
  }

  /** Whether the other value is written with the same bytes. */
  public boolean sameText(JsonSlice other) {
    return java.util.Arrays.equals(source, from, to, other.source, other.from, other.to);
  }

  /** The JSON text. */
  @Override
  public String toString() {
    return new String(source, from, size(), StandardCharsets.UTF_8);
  }
}
