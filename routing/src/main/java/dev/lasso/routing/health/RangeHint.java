package dev.lasso.routing.health;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The greatest block range that a provider's refusal names: "block range limited to 1,000", "up to
 * a 2K block range", "max range: 500". Numbers of results, logs or bytes, and block numbers, are no
 * ranges.
 */
final class RangeHint {
  private static final String NUMBER = "(?<![\\w.])(\\d{1,3}(?:[,_']\\d{3})+|\\d{1,9})\\s?(k)?";

  private static final Pattern BEFORE_BLOCKS =
      Pattern.compile(NUMBER + "[\\s-]*(?:blocks?\\b|(?:block\\s)?range\\b)");

  private static final Pattern AFTER_RANGE =
      Pattern.compile(
          "(?:range|blocks|distance)\\b[a-z\\s]{0,40}[:=(]?\\s*"
              + NUMBER
              + "\\b(?!\\s*(?:results?|logs?|events?|bytes?|mb|kb|ms|s)\\b)");

  private RangeHint() {}

  /** Blocks, or 0 when the message names none. */
  static long in(String message) {
    String words = message.toLowerCase(Locale.ROOT);
    Matcher before = BEFORE_BLOCKS.matcher(words);
    if (before.find()) {
      return blocks(before);
    }
    Matcher after = AFTER_RANGE.matcher(words);
    return after.find() ? blocks(after) : 0;
  }

  private static long blocks(Matcher matcher) {
    long number = Long.parseLong(matcher.group(1).replaceAll("\\D", ""));
    return matcher.group(2) == null ? number : number * 1_000;
  }
}
