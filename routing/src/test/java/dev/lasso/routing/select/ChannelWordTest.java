package dev.lasso.routing.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.circuit.CircuitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ChannelWordTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private static long read(
      CircuitStatus circuit,
      long limitedUntilMs,
      int trials,
      boolean connected,
      int inFlight,
      double latencyMs) {
    return ChannelWord.read(
        RoutesFixture.state(circuit, limitedUntilMs, trials, connected, inFlight, latencyMs),
        NOW_MS);
  }

  private static long idle() {
    return read(CircuitStatus.CLOSED, 0, 0, true, 0, 0);
  }

  @Test
  void anIdleChannelIsTheEmptyWord() {
    assertThat(idle()).isEqualTo(ChannelWord.IDLE);
    assertThat(ChannelWord.notable(idle())).isFalse();
  }

  @ParameterizedTest
  @EnumSource(CircuitStatus.class)
  void everyFieldIsReadBack(CircuitStatus circuit) {
    long word = read(circuit, NOW_MS + 3_600_000, 7, false, 321, 128.5);
    assertThat(ChannelWord.circuit(word)).isEqualTo(circuit);
    assertThat(ChannelWord.rateLimitedUntilMs(word, NOW_MS)).isEqualTo(NOW_MS + 3_600_000);
    assertThat(ChannelWord.trialsInFlight(word)).isEqualTo(7);
    assertThat(ChannelWord.connected(word)).isFalse();
    assertThat(ChannelWord.inFlight(word)).isEqualTo(321);
    assertThat(ChannelWord.latencyEwmaMs(word)).isEqualTo(128.5);
    assertThat(ChannelWord.rejection(word)).isNull();
  }

  @ParameterizedTest
  @EnumSource(RejectionReason.class)
  void aRejectionIsReadBackAndTakenBackWithoutTouchingTheRest(RejectionReason reason) {
    long word = read(CircuitStatus.OPEN, NOW_MS + 9, 31, false, 32_767, 65_504);
    long rejected = ChannelWord.rejected(word, reason);
    assertThat(ChannelWord.rejection(rejected)).isEqualTo(reason);
    assertThat(ChannelWord.admitted(rejected)).isEqualTo(word);
    assertThat(ChannelWord.notable(ChannelWord.rejected(idle(), reason))).isTrue();
  }

  @Test
  void whatIsTooLargeIsHeldAtTheLargest() {
    long word = read(CircuitStatus.CLOSED, NOW_MS + 10 * 3_600_000L, 1_000, true, 5_000_000, 1e9);
    assertThat(ChannelWord.rateLimitedUntilMs(word, NOW_MS))
        .isEqualTo(NOW_MS + (1 << 22) - 1)
        .isGreaterThan(NOW_MS + 69 * 60_000);
    assertThat(ChannelWord.trialsInFlight(word)).isEqualTo(ChannelWord.MAX_TRIALS);
    assertThat(ChannelWord.inFlight(word)).isEqualTo(32_767);
    assertThat(ChannelWord.latencyEwmaMs(word)).isEqualTo(65_504);
    assertThat(ChannelWord.circuit(word)).isEqualTo(CircuitStatus.CLOSED);
    assertThat(ChannelWord.connected(word)).isTrue();
    assertThat(ChannelWord.rejection(word)).isNull();
  }

  @Test
  void aDeadlineThatHasPassedIsNone() {
    long word = read(CircuitStatus.CLOSED, NOW_MS, 0, true, 0, 0);
    assertThat(ChannelWord.rateLimited(word)).isFalse();
    assertThat(ChannelWord.rateLimitedUntilMs(word, NOW_MS)).isZero();
    assertThat(word).isEqualTo(ChannelWord.IDLE);
  }

  @Test
  void loadAloneIsNotNotable() {
    assertThat(ChannelWord.notable(read(CircuitStatus.CLOSED, 0, 0, true, 9, 250))).isFalse();
    assertThat(ChannelWord.notable(read(CircuitStatus.CLOSED, 0, 0, false, 0, 0))).isTrue();
    assertThat(ChannelWord.notable(read(CircuitStatus.CLOSED, NOW_MS + 1, 0, true, 0, 0))).isTrue();
    assertThat(ChannelWord.notable(read(CircuitStatus.CLOSED, 0, 1, true, 0, 0))).isTrue();
    assertThat(ChannelWord.notable(read(CircuitStatus.HALF_OPEN, 0, 0, true, 0, 0))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.25, 1, 3.7, 41.3, 999.9, 12_345.6})
  void latenciesKeepTheirLeadingDigitsAndStayWhatTheyAreWhenReadAgain(double ms) {
    double once = ChannelWord.latencyEwmaMs(read(CircuitStatus.CLOSED, 0, 0, true, 0, ms));
    assertThat(once).isCloseTo(ms, within(ms * 0.0005));
    assertThat(ChannelWord.latencyEwmaMs(read(CircuitStatus.CLOSED, 0, 0, true, 0, once)))
        .isEqualTo(once);
  }
}
