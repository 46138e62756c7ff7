package dev.lasso.launcher.replay;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Moments as people write them: absolute, with or without a zone, or relative to an end. */
final class TimeText {
  private static final Pattern STEP = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Pattern RELATIVE = Pattern.compile("-(\\d{1,9}(ms|s|m|h|d))+");
  private static final Pattern EPOCH_MS = Pattern.compile("\\d{12,14}");
  static final String FORMS =
      "expected such as -30m, 2026-11-30T04:12:00Z, 2026-11-30T04:12 or 04:12 (in the zone), now";

  private TimeText() {}

  /**
   * Reads a moment.
   *
   * @param end what relative times and {@code now} count from
   * @param zone of times that name none
   * @throws IllegalArgumentException saying what is expected
   */
  static Instant parse(String text, Instant end, ZoneId zone) {
    if (text.equals("now")) {
      return end;
    }
    try {
      if (RELATIVE.matcher(text).matches()) {
        return end.minus(duration(text.substring(1)));
      }
      if (EPOCH_MS.matcher(text).matches()) {
        return Instant.ofEpochMilli(Long.parseLong(text));
      }
      if (text.matches("\\d{1,2}:\\d{2}.*")) {
        String padded = text.indexOf(':') == 1 ? "0" + text : text;
        return LocalDate.ofInstant(end, zone)
            .atTime(LocalTime.parse(padded))
            .atZone(zone)
            .toInstant();
      }
      if (text.matches("\\d{4}-\\d{2}-\\d{2}")) {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant();
      }
      String iso = text.replace(' ', 'T');
      return iso.matches(".*(Z|[+-]\\d{2}:?\\d{2})")
          ? OffsetDateTime.parse(iso).toInstant()
          : LocalDateTime.parse(iso).atZone(zone).toInstant();
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is no time: " + FORMS, e);
    }
  }

  /** A length of time such as {@code 1h30m}. */
  static Duration duration(String text) {
    Matcher steps = STEP.matcher(text);
    Duration sum = Duration.ZERO;
    int at = 0;
    while (steps.find() && steps.start() == at) {
      long count = Long.parseLong(steps.group(1));
      sum =
          sum.plus(
              switch (steps.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
              });
      at = steps.end();
    }
    if (at != text.length() || at == 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is no length of time, expected such as 30s, 5m, 1h30m");
    }
    return sum;
  }
}
