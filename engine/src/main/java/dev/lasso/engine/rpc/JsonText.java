package dev.lasso.engine.rpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads and writes the inside of JSON strings whose syntax was checked. Stateless. */
final class JsonText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private JsonText() {}

  /** Whether the range holds exactly the ASCII word. */
  static boolean matches(byte[] source, int from, int to, byte[] word) {
    return to - from == word.length && Arrays.equals(source, from, to, word, 0, word.length);
  }

  /** An ASCII word as bytes. */
  static byte[] ascii(String word) {
    return word.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The bytes that a string with escapes stands for, in UTF-8. Half a surrogate pair becomes
   * U+FFFD.
   *
   * @param from first byte inside the quotes
   * @param to the closing quote
   */
  static byte[] unescape(byte[] source, int from, int to) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(to - from);
    int i = from;
    while (i < to) {
      byte b = source[i];
      if (b != '\\') {
        out.write(b);
        i++;
        continue;
      }
      byte kind = source[i + 1];
      i += 2;
      switch (kind) {
        case 'b' -> out.write('\b');
        case 'f' -> out.write('\f');
        case 'n' -> out.write('\n');
        case 'r' -> out.write('\r');
        case 't' -> out.write('\t');
        case 'u' -> {
          int codePoint = hex4(source, i);
          i += 4;
          if (Character.isHighSurrogate((char) codePoint)
              && i + 6 <= to
              && source[i] == '\\'
              && source[i + 1] == 'u'
              && Character.isLowSurrogate((char) hex4(source, i + 2))) {
            codePoint = Character.toCodePoint((char) codePoint, (char) hex4(source, i + 2));
            i += 6;
          }
          boolean half = codePoint >= 0xD800 && codePoint <= 0xDFFF;
          out.writeBytes(
              Character.toString(half ? 0xFFFD : codePoint).getBytes(StandardCharsets.UTF_8));
        }
        default -> out.write(kind);
      }
    }
    return out.toByteArray();
  }

  private static int hex4(byte[] source, int at) {
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      value = value << 4 | Character.digit(source[i], 16);
    }
    return value;
  }

  /** The text as the inside of a JSON string in UTF-8, without the quotes. */
  static byte[] escape(String text) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    int from = 0;
    while (from < plain.length
        && plain[from] != '"'
        && plain[from] != '\\'
        && (plain[from] >= 0x20 || plain[from] < 0)) {
      from++;
    }
    if (from == plain.length) {
      return plain;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length + 16);
    for (byte b : plain) {
      if (b == '"' || b == '\\') {
        out.write('\\');
        out.write(b);
      } else if (b >= 0 && b < 0x20) {
        out.writeBytes(new byte[] {'\\', 'u', '0', '0', HEX[b >> 4], HEX[b & 15]});
      } else {
        out.write(b);
      }
    }
    return out.toByteArray();
  }
}
