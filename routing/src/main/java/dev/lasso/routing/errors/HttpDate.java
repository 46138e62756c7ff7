package dev.lasso.routing.errors;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Dates in the three forms of RFC 9110, section 5.6.7. The weekday is not checked. */
final class HttpDate {
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  private HttpDate() {}

  /**
   * The moment in ms since 1970, or null when the text is no date.
   *
   * @param text {@code Sun, 06 Nov 1994 08:49:37 GMT}, {@code Sunday, 06-Nov-94 08:49:37 GMT} or
   *     {@code Sun Nov 6 08:49:37 1994}
   * @param nowMs decides the century of two-digit years
   */
  static @Nullable Long parse(String text, long nowMs) {
    if (text.length() > 64) {
      return null;
    }
    String[] words = text.strip().split("[ ,-]+", -1);
    try {
      return switch (words.length) {
        case 6 -> isUtc(words[5]) ? millis(words[3], words[2], words[1], words[4], nowMs) : null;
        case 5 -> millis(words[4], words[1], words[2], words[3], nowMs);
        default -> null;
      };
    } catch (DateTimeException | NumberFormatException noDate) {
      return null;
    }
  }

  private static @Nullable Long millis(
      String year, String month, String day, String time, long nowMs) {
    int monthOfYear = MONTHS.indexOf(month.toLowerCase(Locale.ROOT)) + 1;
    if (monthOfYear == 0) {
      return null;
    }
    LocalTime timeOfDay = LocalTime.parse(time);
    return LocalDateTime.of(
            fullYear(year, nowMs),
            monthOfYear,
            Integer.parseInt(day),
            timeOfDay.getHour(),
            timeOfDay.getMinute(),
            timeOfDay.getSecond())
        .toInstant(ZoneOffset.UTC)
        .toEpochMilli();
  }

  /** A two-digit year more than 50 years ahead is of the past century (RFC 9110). */
  private static int fullYear(String text, long nowMs) {
    int year = Integer.parseInt(text);
    if (text.length() > 2) {
      return year;
    }
    int current = Year.from(Instant.ofEpochMilli(nowMs).atOffset(ZoneOffset.UTC)).getValue();
    int inThisCentury = current - Math.floorMod(current, 100) + year;
    return inThisCentury > current + 50 ? inThisCentury - 100 : inThisCentury;
  }

  private static boolean isUtc(String zone) {
    return zone.equalsIgnoreCase("GMT") || zone.equalsIgnoreCase("UTC");
  }
}
