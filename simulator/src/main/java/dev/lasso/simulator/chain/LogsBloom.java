package dev.lasso.simulator.chain;

import dev.lasso.routing.Keccak256;
import java.util.Arrays;

/**
 * The 2048-bit Bloom filter over log addresses and topics that blocks and receipts carry.
 * Immutable.
 *
 * @see <a href="https://ethereum.github.io/yellowpaper/paper.pdf">Yellow paper, section 4.3.1</a>
 */
public final class LogsBloom {

  private static final int BYTES = 256;

  /** The filter of no logs. */
  public static final LogsBloom EMPTY = new LogsBloom(new byte[BYTES]);

  private final byte[] bits;

  private LogsBloom(byte[] bits) {
    this.bits = bits;
  }

  /** The filter over every address and topic of the logs. */
  public static LogsBloom of(Iterable<SimLog> logs) {
    byte[] bits = new byte[BYTES];
    for (SimLog log : logs) {
      set(bits, Hex.bytes(log.address()));
      for (String topic : log.topics()) {
        set(bits, Hex.bytes(topic));
      }
    }
    return new LogsBloom(bits);
  }

  /**
   * Reads a filter from its 256 bytes of hex data.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static LogsBloom parse(String data) {
    if (!Hex.isData(data, BYTES)) {
      throw new IllegalArgumentException("a logs bloom has 256 bytes");
    }
    return new LogsBloom(Hex.bytes(data));
  }

  /** The union of both filters. */
  public LogsBloom or(LogsBloom other) {
    byte[] union = bits.clone();
    for (int i = 0; i < BYTES; i++) {
      union[i] |= other.bits[i];
    }
    return new LogsBloom(union);
  }

  /** Whether an address or topic (hex data) may be in the filter; false means it is not. */
  public boolean mightContain(String addressOrTopic) {
    byte[] hash = Keccak256.hash(Hex.bytes(addressOrTopic));
    for (int i = 0; i < 6; i += 2) {
      int bit = bit(hash, i);
      if ((bits[BYTES - 1 - bit / 8] & 1 << bit % 8) == 0) {
        return false;
      }
    }
    return true;
  }

  byte[] toBytes() {
    return bits.clone();
  }

  /** The 256 bytes as hex data. */
  @Override
  public String toString() {
    return Hex.data(bits);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogsBloom bloom && Arrays.equals(bits, bloom.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bits);
  }

  private static void set(byte[] bits, byte[] value) {
    byte[] hash = Keccak256.hash(value);
    for (int i = 0; i < 6; i += 2) {
      int bit = bit(hash, i);
      bits[BYTES - 1 - bit / 8] |= (byte) (1 << bit % 8);
    }
  }

  private static int bit(byte[] hash, int index) {
    return (((hash[index] & 0xff) << 8) | (hash[index + 1] & 0xff)) & 2047;
  }
}
