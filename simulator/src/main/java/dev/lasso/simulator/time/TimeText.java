package dev.lasso.simulator.time;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of times in faults, scripts and specifications: 200ms, 10s, 5m, 1h. */
public final class TimeText {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");

  private TimeText() {}

  /**
   * Reads a time; a bare number is milliseconds.
   *
   * @throws IllegalArgumentException naming the text
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is no time such as 200ms, 10s, 5m or 1h");
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2);
    if (unit == null || unit.equals("ms")) {
      return Duration.ofMillis(number);
    }
    return switch (unit) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  /** Whether {@link #parse} reads the text. */
  public static boolean isTime(String text) {
    return FORM.matcher(text).matches();
  }

  /** Spells a time of whole milliseconds in the largest of ms, s and m that divides it. */
  public static String format(Duration time) {
    long millis = time.toMillis();
    if (millis % 1000 != 0 || millis == 0) {
      return millis + "ms";
    }
    return millis % 60_000 == 0 ? millis / 60_000 + "m" : millis / 1000 + "s";
  }
}
