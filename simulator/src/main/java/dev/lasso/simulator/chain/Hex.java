package dev.lasso.simulator.chain;

import java.math.BigInteger;
import java.util.HexFormat;

/**
 * The two hexadecimal spellings of Ethereum JSON-RPC: <em>data</em> (two digits per byte) and
 * <em>quantity</em> (no leading zeros). Everything produced is lower case with a {@code 0x} prefix.
 *
 * @see <a href="https://ethereum.org/en/developers/docs/apis/json-rpc/#hex-encoding">Hex
 *     encoding</a>
 */
public final class Hex {

  private static final HexFormat FORMAT = HexFormat.of();

  private Hex() {}

  /** Spells bytes as data; no bytes are {@code 0x}. */
  public static String data(byte[] bytes) {
    return "0x" + FORMAT.formatHex(bytes);
  }

  /**
   * Reads data.
   *
   * @throws IllegalArgumentException if the text is not {@code 0x} followed by an even number of
   *     hexadecimal digits
   */
  public static byte[] bytes(String data) {
    if (!data.startsWith("0x") && !data.startsWith("0X")) {
      throw new IllegalArgumentException("hex string without 0x prefix");
    }
    return FORMAT.parseHex(data, 2, data.length());
  }

  /** Spells an unsigned number as a quantity; zero is {@code 0x0}. */
  public static String quantity(long value) {
    return "0x" + Long.toHexString(value);
  }

  /** Spells a non-negative number as a quantity. */
  public static String quantity(BigInteger value) {
    return "0x" + value.toString(16);
  }

  /**
   * Reads a quantity that fits a {@code long}.
   *
   * @throws IllegalArgumentException if it is no quantity or exceeds 2^63-1
   */
  public static long number(String quantity) {
    if (!quantity.startsWith("0x") || quantity.length() == 2) {
      throw new IllegalArgumentException("hex number without 0x prefix or digits");
    }
    try {
      return Long.parseLong(quantity, 2, quantity.length(), 16);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a hex number that fits 64 bits", e);
    }
  }

  /** Whether the text is data of exactly the given number of bytes. */
  public static boolean isData(String text, int byteCount) {
    if (text.length() != 2 + 2 * byteCount || !text.startsWith("0x")) {
      return false;
    }
    for (int i = 2; i < text.length(); i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
