package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an upstream sends, reading it neither fails nor gives a time out of bounds. */
class RetryAfterPropertyTest {
  private static final int SEEDS = 3;

  /** In all; {@code bin/fuzz} reads a million. */
  private static final int INPUTS = Integer.getInteger("lasso.fuzz", 60_000);

  private static final long NOW = 1_796_000_400_000L;
  private static final String[] PIECES = {
    "retry",
    " in ",
    "after",
    ":",
    "10",
    "1.5",
    "s",
    "ms",
    "m",
    "Mon, ",
    "30 Nov 2026",
    "-",
    " ",
    "01:00:30",
    " GMT",
    "\"retry_after\"",
    "{",
    "}",
    "\"",
    ",",
    "999999999999999",
    "1e400",
    "NaN",
    "try again in ",
    "wait ",
    "=",
    "reset=",
    "t=",
    "0",
    ".",
    "\u00b5s",
    "h",
    "backoff"
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, SEEDS})
  void anyTextGivesATimeWithinBoundsOrNone(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < INPUTS / SEEDS; i++) {
      String text = random.nextInt(4) == 0 ? noise(random) : pieces(random);

      Long ms = RetryAfter.read(_ -> text, text, NOW);

      assertThat(ms == null || (ms >= RetryAfter.MIN_MS && ms <= RetryAfter.MAX_MS))
          .as("'%s' gave %s, seed %d", text, ms, seed)
          .isTrue();
      assertThat(Redaction.redact(text).length()).isLessThanOrEqualTo(Redaction.MAX_CHARS);
      assertThat(TxRejections.meaning(text)).isNotNull();
      assertThat(ErrorClassifier.standard().classify(new UpstreamError(null, null, text, text)))
          .isNotNull();
    }
  }

  private static String pieces(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    int count = random.nextInt(0, 12);
    for (int i = 0; i < count; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static String noise(RandomGenerator random) {
    byte[] bytes = new byte[random.nextInt(0, 60)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.UTF_16LE);
  }
}
