package dev.lasso.routing.errors;

import java.util.ArrayList;
import java.util.List;

/**
 * The words of an error text in the one normal form that phrases are matched in, so that vendors'
 * spellings of the same thing meet: lower case, punctuation and underscores as separators, camel
 * case split, apostrophes dropped, digit groups joined ({@code 10,000} is {@code 10000}), hex
 * strings reduced to {@code 0x}, and a plural or verbal {@code s} cut off. {@code
 * RateLimitExceeded}, {@code rate-limit exceeded} and {@code rate_limits exceeded} become the same
 * three words.
 *
 * <p>Reads at most {@value #MAX_CHARS} characters: what an error is stands at its beginning, and
 * the rest may be a whole HTML page.
 */
final class Words {
  static final int MAX_CHARS = 1024;

  private Words() {}

  static List<String> of(CharSequence text) {
    int end = Math.min(text.length(), MAX_CHARS);
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder(24);
    boolean digitsOnly = true;
    char previous = ' ';
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (isApostrophe(c)) {
        continue;
      }
      if (Character.isLetterOrDigit(c)) {
        if (Character.isUpperCase(c) && Character.isLowerCase(previous)) {
          flush(word, words);
        }
        digitsOnly = (word.isEmpty() || digitsOnly) && isDigit(c);
        word.append(Character.toLowerCase(c));
      } else if (!joinsDigits(c, text, i, end) || word.isEmpty() || !digitsOnly) {
        flush(word, words);
      }
      previous = c;
    }
    flush(word, words);
    return words;
  }

  /** Whether the word is a number, perhaps with a unit: {@code 10000}, {@code 10k}, {@code 5s}. */
  static boolean isNumber(String word) {
    return isDigit(word.charAt(0)) && !word.equals("0x");
  }

  private static void flush(StringBuilder word, List<String> words) {
    if (!word.isEmpty()) {
      words.add(normal(word.toString()));
      word.setLength(0);
    }
  }

  private static String normal(String word) {
    if (word.startsWith("0x") && word.length() > 2) {
      return "0x";
    }
    if (word.endsWith("sses") || word.endsWith("shes") || word.endsWith("ches")) {
      return word.substring(0, word.length() - 2);
    }
    int last = word.length() - 1;
    boolean stripped =
        last >= 3
            && word.charAt(last) == 's'
            && !isDigit(word.charAt(0))
            && "siu".indexOf(word.charAt(last - 1)) < 0;
    return stripped ? word.substring(0, last) : word;
  }

  private static boolean joinsDigits(char c, CharSequence text, int at, int end) {
    return (c == ',' || c == '.' || c == '_') && at + 1 < end && isDigit(text.charAt(at + 1));
  }

  private static boolean isApostrophe(char c) {
    return c == '\'' || c == '\u2019';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
