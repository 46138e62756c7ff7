package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  private static final long NOW = Instant.parse("2026-11-30T01:00:00Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5                              | 5000",
        "1.5                            | 1500",
        "0                              | 1000",
        "86400                          | 600000",
        "Mon, 30 Nov 2026 01:00:30 GMT  | 30000",
        "Monday, 30-Nov-26 01:00:30 GMT | 30000",
        "Mon Nov 30 01:00:30 2026       | 30000",
        "Sun Nov  1 01:00:30 2026       | 1000",
        "Mon, 30 Nov 2025 01:00:30 GMT  | 1000",
        "Mon, 30 Nov 2027 01:00:30 GMT  | 600000",
        "Monday, 30-Nov-94 01:00:30 GMT | 1000",
        "10s                            | 10000",
        "1796000430                     | 30000",
        "1796000410000                  | 10000"
      })
  void readsRetryAfterInAllItsForms(String value, long expectedMs) {
    assertThat(header("retry-after", value)).isEqualTo(expectedMs);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "soon",
        "-5",
        "NaN",
        "Infinity",
        "1e9",
        "0x10",
        "5 apples",
        "1,5",
        "99999999999999999999",
        "Mon, 99 Nov 2026 01:00:30 GMT",
        "Mon, 30 Foo 2026 01:00:30 GMT",
        "Mon, 30 Nov 2026 25:00:30 GMT",
        "Mon, 30 Nov 2026 01:00:30 PST",
        "Mon, 30 Nov 2026"
      })
  void nonsenseIsNoHint(String value) {
    assertThat(header("retry-after", value)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x-ratelimit-reset-after    | 2.25             | 2250",
        "x-ratelimit-reset          | 7                | 7000",
        "x-ratelimit-reset          | 1796000405       | AT:1796000405000",
        "x-rate-limit-reset         | 1796000405000    | AT:1796000405000",
        "ratelimit-reset            | 12               | 12000",
        "ratelimit                  | limit=10, remaining=0, reset=5 | 5000",
        "ratelimit                  | \"default\";r=0;t=9            | 9000",
        "retry-after-ms             | 2500             | 2500",
        "x-ratelimit-reset-requests | 1m30s            | 90000",
        "x-ratelimit-reset-requests | 500ms            | 1000"
      })
  void readsVendorsHeaders(String name, String value, String expected) {
    long expectedMs =
        expected.startsWith("AT:")
            ? Math.clamp(Long.parseLong(expected.substring(3)) - NOW, 1_000, 600_000)
            : Long.parseLong(expected);

    assertThat(header(name, value)).isEqualTo(expectedMs);
  }

  @Test
  void pointsInTimeCountFromNow() {
    long inTwelveSeconds = NOW + 12_000;

    assertThat(header("x-ratelimit-reset", Long.toString(inTwelveSeconds / 1_000)))
        .isEqualTo(12_000);
    assertThat(header("x-rate-limit-reset", Long.toString(inTwelveSeconds))).isEqualTo(12_000);
    assertThat(header("x-ratelimit-reset-ms", Long.toString(inTwelveSeconds))).isEqualTo(12_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Too many requests, reason: call rate limit exhausted, retry in 10s | 10000",
        "call rate limit exhausted, retry in 1m0s            | 60000",
        "Please try again in 2.5 seconds.                    | 2500",
        "retry after 1500ms                                  | 1500",
        "rate limited, retry after 7                         | 7000",
        "Retry-After: 20                                     | 20000",
        "Please wait at least 3 minutes before               | 180000",
        "Request was throttled. Expected available in 12 seconds. | 12000",
        "backing off for 5 s                                 | 5000",
        "{\"message\":\"slow\",\"data\":{\"try_again_in\":\"32.1s\"}} | 32100",
        "{\"try_again_in\":\"1m30.5s\"}                      | 90500",
        "{\"backoff_seconds\": 30.0}                         | 30000",
        "{\"rate\":{\"see\":\"x\",\"backoff_seconds\":24}}   | 24000",
        "{\"retryAfter\": 4}                                 | 4000",
        "{\"retry_after_ms\": 4500}                          | 4500",
        "{\"retryAfterMs\":\"2500\"}                         | 2500",
        "{\"retry_after\": \"5 seconds\"}                    | 5000",
        "{\"retry_after\": 0.2}                              | 1000",
        "{\"retry_after\": 99999}                            | 600000"
      })
  void readsHintsInBodies(String body, long expectedMs) {
    assertThat(RetryAfter.ofBody(body, NOW)).isEqualTo(expectedMs);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "rate limit exceeded", "exceeded 10 requests in 5s", "retry with the range 100-200",
        "try again later", "retry in a while", "{\"retry_after\":null}", "{\"retry\":\"yes\"}",
        "block 100 not found", "retry 3/5 failed", "wait, what 5"
      })
  void bodiesWithoutHintGiveNone(String body) {
    assertThat(RetryAfter.ofBody(body, NOW)).isNull();
  }

  @Test
  void headersComeBeforeTheBody() {
    assertThat(RetryAfter.read(Map.of("retry-after", "3")::get, "retry in 10s", NOW))
        .isEqualTo(3_000);
    assertThat(RetryAfter.read(Map.of("retry-after", "soon")::get, "retry in 10s", NOW))
        .isEqualTo(10_000);
    assertThat(RetryAfter.read(_ -> null, null, NOW)).isNull();
  }

  private static @Nullable Long header(String name, String value) {
    return RetryAfter.ofHeaders(Map.of(name, value)::get, NOW);
  }
}
