package dev.lasso.routing.errors;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long a provider wants to be left alone, from whatever it uses to say so: {@code
 * Retry-After} (RFC 9110, 10.2.3), the rate-limit headers of vendors and of the IETF draft, or a
 * hint in the error's body. What can't be understood is no hint. All results are clamped to {@value
 * #MIN_MS} to {@value #MAX_MS} ms.
 */
public final class RetryAfter {
  /** The shortest time given out, in ms. */
  public static final long MIN_MS = 1_000;

  /** The longest time given out, in ms. */
  public static final long MAX_MS = 600_000;

  private static final int MAX_BODY_CHARS = 4_096;

  /** Numbers from here on are points in time: seconds since 1970. */
  private static final double EPOCH_SECONDS = 1e9;

  /** And from here on milliseconds since 1970. */
  private static final double EPOCH_MILLIS = 1e12;

  /** Headers with a number of seconds, a duration, a point in time or a date, best first. */
  private static final List<String> HEADERS =
      List.of(
          "retry-after",
          "x-retry-after",
          "x-ratelimit-retry-after",
          "x-ratelimit-reset-after",
          "ratelimit-reset",
          "x-ratelimit-reset",
          "x-rate-limit-reset",
          "x-ratelimit-reset-requests",
          "ratelimit");

  private static final List<String> MILLIS_HEADERS =
      List.of(
          "retry-after-ms", "x-retry-after-ms", "x-ratelimit-reset-ms", "x-rate-limit-reset-ms");

  private static final String NUMBER = "(\\d{1,15}(?:\\.\\d{1,12})?)";

  /** {@code reset=5} and {@code t=5} of the two forms that the IETF draft has had. */
  private static final Pattern RATELIMIT_FIELD =
      Pattern.compile("(?i)(?:^|[,; ])(?:reset|t)\\s*=\\s*" + NUMBER);

  private static final Pattern PLAIN_NUMBER = Pattern.compile(NUMBER);

  private static final String DURATION =
      NUMBER
          + "\\s?(milliseconds?|millis|msecs?|ms|microseconds?|us|\u00b5s|nanoseconds?|ns"
          + "|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![a-z])";

  private static final Pattern DURATION_PART = Pattern.compile(DURATION, Pattern.CASE_INSENSITIVE);

  private static final Pattern WHOLE_DURATION =
      Pattern.compile("(?:" + DURATION + " ?){1,4}", Pattern.CASE_INSENSITIVE);

  private static final Pattern JSON_MEMBER =
      Pattern.compile(
          "\"(?:retry|try_?again|back_?off|wait|cool_?down|reset)"
              + "[a-z_-]{0,24}\"\\s*:\\s*\"?([^\",}\\]]{1,40})",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern SENTENCE =
      Pattern.compile(
          "\\b(?:try(?:ing)? again|retry(?:ing)?|wait|back(?:ing)? ?off|resets?|available)"
              + "(?:[ _:-](?:in|after|for|at least|about|another|again|then|until))*+[ :]{0,3}"
              + "(\\d[^,;)\"}\\n]{0,30})",
          Pattern.CASE_INSENSITIVE);

  private RetryAfter() {}

  /**
   * Reads an answer's hint: headers first, then the body.
   *
   * @param headers gives a header's value by its lower-case name, or null
   * @param body the error's message and data, or the body as it came; null when there is none
   * @param nowMs the time of the answer, in ms since 1970
   * @return how long to stay away in ms, or null when the provider did not say
   */
  public static @Nullable Long read(
      Function<String, @Nullable String> headers, @Nullable String body, long nowMs) {
    Long fromHeaders = ofHeaders(headers, nowMs);
    return fromHeaders != null || body == null ? fromHeaders : ofBody(body, nowMs);
  }

  /** Reads the headers alone; see {@link #read}. */
  public static @Nullable Long ofHeaders(Function<String, @Nullable String> headers, long nowMs) {
    for (String name : MILLIS_HEADERS) {
      String value = headers.apply(name);
      Double number = value == null ? null : plainNumber(value.strip());
      if (number != null) {
        return clamp(number >= EPOCH_MILLIS ? number - nowMs : number);
      }
    }
    for (String name : HEADERS) {
      String value = headers.apply(name);
      Double ms = value == null ? null : headerMs(name, value.strip(), nowMs);
      if (ms != null) {
        return clamp(ms);
      }
    }
    return null;
  }

  /** Reads a body alone; see {@link #read}. */
  public static @Nullable Long ofBody(String body, long nowMs) {
    String text = body.length() > MAX_BODY_CHARS ? body.substring(0, MAX_BODY_CHARS) : body;
    Matcher member = JSON_MEMBER.matcher(text);
    while (member.find()) {
      String name =
          member.group().substring(0, member.group().indexOf(':')).toLowerCase(Locale.ROOT);
      Double ms = valueMs(member.group(1).strip(), isMillis(name), nowMs);
      if (ms != null) {
        return clamp(ms);
      }
    }
    Matcher sentence = SENTENCE.matcher(text);
    while (sentence.find()) {
      Double ms = sentenceMs(sentence.group(1));
      if (ms != null) {
        return clamp(ms);
      }
    }
    return null;
  }

  private static boolean isMillis(String quotedName) {
    return quotedName.contains("ms\"") || quotedName.contains("milli");
  }

  private static @Nullable Double headerMs(String name, String value, long nowMs) {
    if (name.equals("ratelimit")) {
      Matcher field = RATELIMIT_FIELD.matcher(value);
      return field.find() ? numberMs(Double.parseDouble(field.group(1)), nowMs) : null;
    }
    return valueMs(value, false, nowMs);
  }

  private static @Nullable Double valueMs(String value, boolean millis, long nowMs) {
    Double number = plainNumber(value);
    if (number != null) {
      return millis && number < EPOCH_SECONDS ? number : numberMs(number, nowMs);
    }
    Double duration = durationMs(value);
    if (duration != null) {
      return duration;
    }
    Long date = HttpDate.parse(value, nowMs);
    return date == null ? null : Double.valueOf((double) (date - nowMs));
  }

  /** Seconds to wait, or a point in time as seconds or milliseconds since 1970. */
  private static double numberMs(double number, long nowMs) {
    if (number >= EPOCH_MILLIS) {
      return number - nowMs;
    }
    return number >= EPOCH_SECONDS ? number * 1_000 - nowMs : number * 1_000;
  }

  /** The number at the beginning of a sentence's rest, in its unit or in seconds. */
  private static @Nullable Double sentenceMs(String rest) {
    Matcher part = DURATION_PART.matcher(rest);
    if (part.lookingAt()) {
      return leadingDurationMs(part);
    }
    Matcher number = PLAIN_NUMBER.matcher(rest);
    boolean alone =
        number.lookingAt()
            && (number.end() == rest.length() || " .".indexOf(rest.charAt(number.end())) >= 0);
    return alone ? Double.valueOf(Double.parseDouble(number.group(1)) * 1_000) : null;
  }

  /** A whole text like {@code 500ms}, {@code 1m30s}, {@code 10 seconds}; null for anything else. */
  private static @Nullable Double durationMs(String text) {
    Matcher part = DURATION_PART.matcher(text);
    return WHOLE_DURATION.matcher(text).matches() && part.find() ? leadingDurationMs(part) : null;
  }

  private static Double leadingDurationMs(Matcher part) {
    double ms = 0;
    int end = part.regionStart();
    do {
      ms += Double.parseDouble(part.group(1)) * unitMs(part.group(2).toLowerCase(Locale.ROOT));
      end = part.end();
    } while (part.find() && part.start() - end <= 1);
    return ms;
  }

  private static double unitMs(String unit) {
    if (unit.startsWith("ms") || unit.startsWith("milli")) {
      return 1;
    }
    return switch (unit.charAt(0)) {
      case 'h' -> 3_600_000;
      case 'm' -> unit.startsWith("micro") ? 1e-3 : 60_000;
      case 'u', '\u00b5' -> 1e-3;
      case 'n' -> 1e-6;
      default -> 1_000;
    };
  }

  private static @Nullable Double plainNumber(String text) {
    return PLAIN_NUMBER.matcher(text).matches() ? Double.valueOf(text) : null;
  }

  private static Long clamp(double ms) {
    return Math.clamp((long) Math.ceil(ms), MIN_MS, MAX_MS);
  }
}
