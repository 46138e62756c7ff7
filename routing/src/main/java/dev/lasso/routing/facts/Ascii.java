package dev.lasso.routing.facts;

import java.nio.charset.StandardCharsets;

/** Bytes as ASCII characters. */
final class Ascii {
  private Ascii() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** The value of a hex digit, or -1. */
  static int hexValue(byte b) {
    if (isDigit(b)) {
      return b - '0';
    }
    int lower = toLower(b);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  static int toLower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
  }
}
