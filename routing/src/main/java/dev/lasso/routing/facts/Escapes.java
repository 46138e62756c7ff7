package dev.lasso.routing.facts;

import java.util.Arrays;

/** The escapes of JSON strings (RFC 8259, section 7), for the rare strings that have any. */
final class Escapes {
  private static final byte NOT_ASCII = '?';

  private Escapes() {}

  /**
   * The content of a string between its quotes. Nothing routing looks for lies outside ASCII, so a
   * code unit outside it becomes a question mark, as does an escape that isn't one.
   */
  static byte[] decode(byte[] json, int from, int to) {
    byte[] decoded = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      byte b = json[i];
      if (b == '\\' && i + 1 < to) {
        i++;
        b = unescape(json[i]);
        if (json[i] == 'u') {
          b = codeUnit(json, i + 1, to);
          i += 4;
        }
      }
      decoded[length++] = b;
    }
    return Arrays.copyOf(decoded, length);
  }

  private static byte unescape(byte letter) {
    return switch (letter) {
      case '"', '\\', '/' -> letter;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> NOT_ASCII;
    };
  }

  private static byte codeUnit(byte[] json, int from, int to) {
    if (to - from < 4) {
      return NOT_ASCII;
    }
    int unit = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Ascii.hexValue(json[i]);
      if (digit < 0) {
        return NOT_ASCII;
      }
      unit = unit << 4 | digit;
    }
    return unit < 0x80 ? (byte) unit : NOT_ASCII;
  }
}
