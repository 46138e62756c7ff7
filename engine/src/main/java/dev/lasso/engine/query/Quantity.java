package dev.lasso.engine.query;

import dev.lasso.engine.rpc.JsonSlice;
import org.jspecify.annotations.Nullable;

/** JSON-RPC quantities (execution-apis, "Hex value encoding"), read leniently. */
public final class Quantity {
  private static final int LONGEST_DIGITS = 15;

  private Quantity() {}

  /**
   * The number that a JSON string like {@code "0x1b4"} stands for, leading zeros allowed.
   *
   * @return the number, or null when the value is no quantity or above 2^60
   */
  public static @Nullable Long parse(JsonSlice json) {
    String text = json.toString().strip();
    int last = text.length() - 1;
    return last >= 1 && text.charAt(0) == '"' && text.charAt(last) == '"'
        ? parse(text.substring(1, last))
        : null;
  }

  /** As {@link #parse(JsonSlice)}, of the text inside the quotes. */
  public static @Nullable Long parse(String hex) {
    if (!hex.startsWith("0x") || hex.length() < 3) {
      return null;
    }
    int from = 2;
    while (from < hex.length() - 1 && hex.charAt(from) == '0') {
      from++;
    }
    if (hex.length() - from > LONGEST_DIGITS) {
      return null;
    }
    long number = 0;
    for (int i = from; i < hex.length(); i++) {
      int digit = Character.digit(hex.charAt(i), 16);
      if (digit < 0) {
        return null;
      }
      number = number << 4 | digit;
    }
    return number;
  }
}
