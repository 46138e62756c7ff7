package dev.lasso.routing.facts;

import dev.lasso.routing.facts.BlockReference.Height;
import dev.lasso.routing.facts.BlockReference.Tag;
import dev.lasso.routing.facts.BlockReference.Unbound;
import org.jspecify.annotations.Nullable;

/** Reads the text under a cursor as a block number, tag or hash. */
final class BlockText {
  private static final int HASH_LENGTH = 2 + 64;
  private static final Tag[] TAGS = Tag.values();

  private BlockText() {}

  /** What a string names, or null when it is none of these. */
  static @Nullable BlockReference parse(JsonCursor text) {
    if (isHash(text)) {
      return Unbound.BY_HASH;
    }
    if (hasHexPrefix(text)) {
      return hex(text);
    }
    return text.textLength() > 0 && Ascii.isDigit(text.textAt(0)) ? decimal(text) : tag(text);
  }

  /** Whether it is 32 bytes in hex. */
  static boolean isHash(JsonCursor text) {
    if (text.textLength() != HASH_LENGTH || !hasHexPrefix(text)) {
      return false;
    }
    for (int i = 2; i < HASH_LENGTH; i++) {
      if (Ascii.hexValue(text.textAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /** A decimal number without sign, fraction or exponent, or null. */
  static @Nullable BlockReference decimal(JsonCursor text) {
    long number = 0;
    for (int i = 0; i < text.textLength(); i++) {
      if (!Ascii.isDigit(text.textAt(i))) {
        return null;
      }
      number = append(number, 10, text.textAt(i) - '0');
    }
    return text.textLength() == 0 ? null : new Height(number);
  }

  private static @Nullable BlockReference hex(JsonCursor text) {
    long number = 0;
    for (int i = 2; i < text.textLength(); i++) {
      int digit = Ascii.hexValue(text.textAt(i));
      if (digit < 0) {
        return null;
      }
      number = append(number, 16, digit);
    }
    return text.textLength() == 2 ? null : new Height(number);
  }

  /** Appends a digit, staying at the largest number once it is passed. */
  private static long append(long number, int radix, int digit) {
    return number > (Long.MAX_VALUE - digit) / radix ? Long.MAX_VALUE : number * radix + digit;
  }

  private static boolean hasHexPrefix(JsonCursor text) {
    return text.textLength() >= 2 && text.textAt(0) == '0' && Ascii.toLower(text.textAt(1)) == 'x';
  }

  private static @Nullable Tag tag(JsonCursor text) {
    for (Tag tag : TAGS) {
      if (isWord(text, tag.word())) {
        return tag;
      }
    }
    return null;
  }

  private static boolean isWord(JsonCursor text, String word) {
    if (text.textLength() != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (Ascii.toLower(text.textAt(i)) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
