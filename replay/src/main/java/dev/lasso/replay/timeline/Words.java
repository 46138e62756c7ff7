package dev.lasso.replay.timeline;

import dev.lasso.routing.event.AttemptOutcome.Failure;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How numbers and causes are worded in the timeline. */
public final class Words {
  private Words() {}

  /** A length of time with two digits that matter: 350 ms, 4.2 s, 3 min 10 s. */
  public static String duration(long ms) {
    if (ms < 1_000) {
      return ms + " ms";
    }
    if (ms < 100_000) {
      return trimmed(ms / 1e3) + " s";
    }
    long minutes = ms / 60_000;
    long seconds = ms % 60_000 / 1_000;
    return minutes < 60
        ? minutes + " min" + (seconds == 0 ? "" : " " + seconds + " s")
        : minutes / 60 + " h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + " min");
  }

  /** A latency: 0.4 ms, 12 ms, 1.3 s. */
  public static String latency(double ms) {
    return ms >= 1_000 ? trimmed(ms / 1_000) + " s" : trimmed(ms) + " ms";
  }

  private static String trimmed(double value) {
    return value >= 10
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
  }

  static String count(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  /** A failure by its class and, where there is one, what the provider said. */
  public static String failure(@Nullable Failure failure) {
    if (failure == null) {
      return "cause not recorded";
    }
    StringBuilder text = new StringBuilder(failure.errorClass().word());
    if (failure.httpStatus() != null && failure.httpStatus() != 200) {
      text.append(", HTTP ").append(failure.httpStatus());
    }
    if (failure.code() != null) {
      text.append(", code ").append(failure.code());
    }
    if (!failure.message().isBlank()) {
      text.append(": ").append(failure.message().strip());
    }
    return text.toString();
  }

  /** Counts by name, the most first: timeout 30, rate_limit 7. */
  static String counts(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
