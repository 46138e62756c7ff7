package dev.lasso.simulator.chain;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Recursive length prefix encoding, both ways.
 *
 * @see <a href="https://ethereum.org/en/developers/docs/data-structures-and-encoding/rlp/">RLP</a>
 */
final class Rlp {

  private static final byte[] EMPTY = new byte[0];

  private Rlp() {}

  /** An RLP value: a byte string or a list of values. */
  sealed interface Item {
    /** The encoding of this value. */
    byte[] encoded();

    /**
     * The byte string.
     *
     * @throws IllegalArgumentException if this is a list
     */
    default byte[] bytes() {
      throw new IllegalArgumentException("rlp: expected a string, found a list");
    }

    /**
     * The unsigned integer of this byte string.
     *
     * @throws IllegalArgumentException if this is a list
     */
    default BigInteger integer() {
      return new BigInteger(1, bytes());
    }

    /**
     * The values of this list.
     *
     * @throws IllegalArgumentException if this is a byte string
     */
    default List<Item> items() {
      throw new IllegalArgumentException("rlp: expected a list, found a string");
    }
  }

  private static final class Text implements Item {
    private final byte[] bytes;

    Text(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }

    @Override
    public byte[] encoded() {
      if (bytes.length == 1 && (bytes[0] & 0xff) < 0x80) {
        return bytes;
      }
      return withPrefix(0x80, bytes);
    }
  }

  private record Sequence(List<Item> items) implements Item {
    @Override
    public byte[] encoded() {
      ByteArrayOutputStream payload = new ByteArrayOutputStream();
      for (Item item : items) {
        payload.writeBytes(item.encoded());
      }
      return withPrefix(0xc0, payload.toByteArray());
    }
  }

  static Item text(byte[] bytes) {
    return new Text(bytes);
  }

  /** A byte string given as hex data. */
  static Item hex(String data) {
    return new Text(Hex.bytes(data));
  }

  static Item integer(BigInteger value) {
    byte[] bytes = value.toByteArray();
    return new Text(
        value.signum() == 0
            ? EMPTY
            : bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
  }

  static Item integer(long value) {
    return integer(BigInteger.valueOf(value));
  }

  static Item list(Item... items) {
    return new Sequence(List.of(items));
  }

  static Item list(List<Item> items) {
    return new Sequence(List.copyOf(items));
  }

  private static byte[] withPrefix(int base, byte[] payload) {
    if (payload.length < 56) {
      byte[] encoded = new byte[payload.length + 1];
      encoded[0] = (byte) (base + payload.length);
      System.arraycopy(payload, 0, encoded, 1, payload.length);
      return encoded;
    }
    byte[] length = integer(payload.length).bytes();
    byte[] encoded = new byte[1 + length.length + payload.length];
    encoded[0] = (byte) (base + 55 + length.length);
    System.arraycopy(length, 0, encoded, 1, length.length);
    System.arraycopy(payload, 0, encoded, 1 + length.length, payload.length);
    return encoded;
  }

  /**
   * Reads one value that fills the bytes from {@code offset} to the end.
   *
   * @throws IllegalArgumentException if the bytes are no complete value or more than one
   */
  static Item decode(byte[] encoded, int offset) {
    Reader reader = new Reader(encoded, offset, encoded.length);
    Item item = reader.next();
    if (reader.position != encoded.length) {
      throw new IllegalArgumentException("rlp: bytes after the value");
    }
    return item;
  }

  private static final class Reader {
    private final byte[] source;
    private final int end;
    private int position;

    Reader(byte[] source, int position, int end) {
      this.source = source;
      this.position = position;
      this.end = end;
    }

    Item next() {
      if (position >= end) {
        throw new IllegalArgumentException("rlp: value is cut short");
      }
      int first = source[position++] & 0xff;
      if (first < 0x80) {
        return new Text(new byte[] {(byte) first});
      }
      if (first < 0xc0) {
        int length = length(first - 0x80);
        Item text = new Text(Arrays.copyOfRange(source, position, position + length));
        position += length;
        return text;
      }
      int length = length(first - 0xc0);
      Reader content = new Reader(source, position, position + length);
      position += length;
      List<Item> items = new ArrayList<>();
      while (content.position < content.end) {
        items.add(content.next());
      }
      return new Sequence(items);
    }

    private int length(int code) {
      long length = code;
      if (code > 55) {
        length = 0;
        for (int i = 0; i < code - 55; i++) {
          if (position >= end || length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("rlp: value is cut short");
          }
          length = (length << 8) | (source[position++] & 0xff);
        }
      }
      if (length > end - position) {
        throw new IllegalArgumentException("rlp: value is cut short");
      }
      return (int) length;
    }
  }
}
