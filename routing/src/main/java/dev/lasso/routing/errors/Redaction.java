package dev.lasso.routing.errors;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Makes a provider's words fit for logs, topics and answers: credentials and what looks like a key
 * are taken out, control characters become spaces, and the rest is cut at {@value #MAX_CHARS}
 * characters. Hex with the prefix {@code 0x} (transactions, blocks, addresses, data) stays.
 */
public final class Redaction {
  /** The longest text given out, in characters. */
  public static final int MAX_CHARS = 300;

  /** How much is looked at: keys near the cut must be recognised whole. */
  private static final int MAX_READ = 1_024;

  private static final String REDACTED = "[redacted]";
  private static final String CUT = "...";

  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s\"']{1,256}@");

  private static final Pattern QUERY =
      Pattern.compile("(?<=[a-zA-Z0-9/]\\?)[A-Za-z0-9_.%-]{1,64}=[^\\s\"'<>)]{1,1024}");

  private static final Pattern NAMED_SECRET =
      Pattern.compile(
          "(?i)\\b((?:api[_ -]?)?key|token|secret|password|passwd|authorization|project[_ -]?id)"
              + "(\"?\\s{0,3}[:=]\\s{0,3}\"?)(?:(?:bearer|basic)\\s{1,3})?([^\\s\"',;&}]{4,256})");

  private static final Pattern BEARER =
      Pattern.compile("(?i)\\b(bearer|basic)\\s{1,3}([A-Za-z0-9_.~+/=-]{8,512})");

  private static final Pattern LONG_WORD = Pattern.compile("[A-Za-z0-9_+-]{20,}={0,2}");

  private static final Pattern METHOD_NAME = Pattern.compile("[a-z]{2,12}_[A-Za-z]+\\d?(_v\\d)?");

  private Redaction() {}

  /** The text without its secrets, at most {@value #MAX_CHARS} characters. */
  public static String redact(String text) {
    String clean = text.length() > MAX_READ ? text.substring(0, MAX_READ) : text;
    clean = USER_INFO.matcher(clean).replaceAll(REDACTED + "@");
    clean = QUERY.matcher(clean).replaceAll(REDACTED);
    clean = NAMED_SECRET.matcher(clean).replaceAll("$1$2" + REDACTED);
    clean = BEARER.matcher(clean).replaceAll("$1 " + REDACTED);
    clean = LONG_WORD.matcher(clean).replaceAll(Redaction::unlessKey);
    clean = withoutControls(clean);
    return clean.length() > MAX_CHARS ? clean.substring(0, MAX_CHARS - CUT.length()) + CUT : clean;
  }

  private static String unlessKey(MatchResult word) {
    return looksLikeKey(word.group())
        ? REDACTED
        : java.util.regex.Matcher.quoteReplacement(word.group());
  }

  /** Long, and neither a number, nor prefixed hex, nor a name that a person made up. */
  private static boolean looksLikeKey(String word) {
    if (isPrefixedHex(word) || METHOD_NAME.matcher(word).matches()) {
      return false;
    }
    int digits = count(word, Character::isDigit);
    int upper = count(word, Character::isUpperCase);
    int lower = count(word, Character::isLowerCase);
    boolean mixedDigits = digits > 0 && upper + lower > 0;
    boolean shuffledCase = lower > 0 && upper * 3 > upper + lower;
    return mixedDigits || shuffledCase;
  }

  private static boolean isPrefixedHex(String word) {
    return word.startsWith("0x") && word.chars().skip(2).allMatch(c -> Character.digit(c, 16) >= 0);
  }

  private static int count(String word, java.util.function.IntPredicate kind) {
    return (int) word.chars().filter(kind).count();
  }

  private static String withoutControls(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.chars().forEach(c -> clean.append(Character.isISOControl(c) ? ' ' : (char) c));
    return clean.toString();
  }
}
