package dev.lasso.routing.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.AttemptOutcome.Cancelled;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.AttemptOutcome.Success;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RateLimitStateTest {
  private static final RateLimitPolicy POLICY = RateLimitPolicy.DEFAULT;
  private static final long START = 1_000_000;

  @Test
  void startsWithoutADeadline() {
    assertThat(RateLimitState.NONE.limitedAt(START)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0,1000", "-5,1000", "999,1000", "2500,2500", "600000,600000", "86400000,600000"})
  void takesTheProvidersHintWithinBounds(long hintMs, long lengthMs) {
    RateLimitState limited = RateLimitState.NONE.evolve(rateLimit(hintMs), START, POLICY);

    assertThat(limited.untilMs()).isEqualTo(START + lengthMs);
    assertThat(limited.limitedAt(START + lengthMs - 1)).isTrue();
    assertThat(limited.limitedAt(START + lengthMs)).isFalse();
  }

  @Test
  void withoutAHintDoublesFromOneSecondToFiveMinutesWhileItRepeats() {
    long[] lengths = repeated(ErrorClass.RATE_LIMIT, 11);

    assertThat(lengths)
        .containsExactly(
            1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000);
  }

  @Test
  void aQuotaDoublesFromOneMinuteToOneHour() {
    assertThat(repeated(ErrorClass.QUOTA_EXCEEDED, 8))
        .containsExactly(
            60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000);
  }

  @Test
  void aBurstOfRefusalsIsOneLimit() {
    RateLimitState state = RateLimitState.NONE;
    for (int i = 0; i < 500; i++) {
      state = state.evolve(rateLimit(null), START + i, POLICY);
    }

    assertThat(state).isEqualTo(new RateLimitState(START + 1_000, 1));
  }

  @Test
  void aFurtherHintMovesARunningDeadlineAndANearerOneDoesNot() {
    RateLimitState state = RateLimitState.NONE.evolve(rateLimit(5_000L), START, POLICY);

    assertThat(state.evolve(rateLimit(2_000L), START + 10, POLICY)).isEqualTo(state);
    assertThat(state.evolve(rateLimit(9_000L), START + 10, POLICY))
        .isEqualTo(new RateLimitState(START + 9_010, 1));
  }

  @Test
  void successesAfterTheDeadlineLetRepeatsDecay() {
    RateLimitState state = new RateLimitState(START, 8);

    assertThat(state.evolve(new Success(), START - 1, POLICY)).isEqualTo(state);
    state = state.evolve(new Success(), START, POLICY);
    assertThat(state.repeats()).isEqualTo(4);
    for (int i = 0; i < 3; i++) {
      state = state.evolve(new Success(), START + i, POLICY);
    }
    assertThat(state.repeats()).isZero();
  }

  @Test
  void aQuietMinuteForgetsRepeats() {
    RateLimitState state = new RateLimitState(START, 8);

    assertThat(state.evolve(START + 59_999, POLICY)).isEqualTo(state);
    assertThat(state.evolve(START + 60_000, POLICY).repeats()).isZero();
    assertThat(state.evolve(rateLimit(null), START + 60_000, POLICY))
        .isEqualTo(new RateLimitState(START + 61_000, 1));
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorClass.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"RATE_LIMIT", "QUOTA_EXCEEDED"})
  void noOtherErrorSetsADeadline(ErrorClass other) {
    assertThat(RateLimitState.NONE.evolve(failure(other, 5_000L), START, POLICY))
        .isEqualTo(RateLimitState.NONE);
  }

  @Test
  void aCancelledAttemptSaysNothing() {
    RateLimitState state = new RateLimitState(START, 3);

    assertThat(state.evolve(new Cancelled(), START + 1, POLICY)).isEqualTo(state);
  }

  @Test
  void aPolicyWhoseBoundsCrossIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RateLimitPolicy(2_000, 1_000, 1, 1, 1, 1, 0))
        .withMessageContaining("minMs <= maxHintMs");
  }

  private static long[] repeated(ErrorClass errorClass, int times) {
    long[] lengths = new long[times];
    RateLimitState state = RateLimitState.NONE;
    long atMs = START;
    for (int i = 0; i < times; i++) {
      state = state.evolve(failure(errorClass, null), atMs, POLICY);
      lengths[i] = state.untilMs() - atMs;
      atMs = state.untilMs();
    }
    return lengths;
  }

  private static AttemptOutcome rateLimit(@Nullable Long hintMs) {
    return failure(ErrorClass.RATE_LIMIT, hintMs);
  }

  private static AttemptOutcome failure(ErrorClass errorClass, @Nullable Long hintMs) {
    return new Failure(errorClass, null, 429, "slow down", hintMs);
  }
}
