package dev.lasso.routing.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lasso.routing.circuit.CircuitEvent.Cause;
import dev.lasso.routing.circuit.CircuitEvent.Opened;
import dev.lasso.routing.circuit.CircuitInput.Attempt;
import dev.lasso.routing.circuit.CircuitInput.Counted;
import dev.lasso.routing.circuit.CircuitInput.Probe;
import dev.lasso.routing.circuit.CircuitInput.Reported;
import dev.lasso.routing.circuit.CircuitInput.Time;
import dev.lasso.routing.circuit.CircuitInput.Trial;
import dev.lasso.routing.circuit.CircuitState.Closed;
import dev.lasso.routing.circuit.CircuitState.HalfOpen;
import dev.lasso.routing.circuit.CircuitState.Open;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CircuitTest {
  private static final CircuitPolicy POLICY = CircuitPolicy.DEFAULT;
  private static final long START = 1_700_000_000_000L;

  /** Always the middle: open periods have no jitter. */
  private static final RandomGenerator MIDDLE =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          throw new AssertionError("the circuit asks for doubles only");
        }

        @Override
        public double nextDouble() {
          return 0.5;
        }
      };

  private final List<CircuitEvent> events = new ArrayList<>();
  private CircuitState state = CircuitState.initial(POLICY);
  private long nowMs = START;

  @Test
  void opensAfterFiveConsecutiveFailures() {
    feed(Attempt.FAILURE, 4);
    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);

    feed(Attempt.FAILURE, 1);

    assertThat(state).isEqualTo(new Open(nowMs, nowMs + 30_000, 0, 1));
    assertThat(causes()).containsExactly(Cause.FAILURES_IN_ROW);
  }

  @Test
  void aSuccessEndsTheRow() {
    feed(Attempt.FAILURE, 4);
    feed(Attempt.SUCCESS, 1);
    feed(Attempt.FAILURE, 4);

    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void neutralOutcomesNeitherCountNorEndTheRow() {
    feed(Attempt.FAILURE, 4);
    feed(Attempt.NEUTRAL, 100);
    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);

    feed(Attempt.FAILURE, 1);

    assertThat(state.status()).isEqualTo(CircuitStatus.OPEN);
  }

  @Test
  void aBusyEndpointTakesTenInARow() {
    feed(Attempt.SUCCESS, 30);
    feed(Attempt.FAILURE, 9);
    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);

    feed(Attempt.FAILURE, 1);

    assertThat(causes()).containsExactly(Cause.FAILURES_IN_ROW);
  }

  @Test
  void opensWhenHalfOfTwentyAttemptsFail() {
    for (int i = 0; i < 9; i++) {
      feed(Attempt.FAILURE, 1);
      feed(Attempt.SUCCESS, 1);
    }
    feed(Attempt.SUCCESS, 1);
    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);

    feed(Attempt.FAILURE, 1);

    assertThat(causes()).containsExactly(Cause.FAILURE_RATE);
  }

  @Test
  void outcomesOlderThanTheWindowDoNotCount() {
    for (int i = 0; i < 9; i++) {
      feed(Attempt.FAILURE, 1);
      feed(Attempt.SUCCESS, 1);
    }
    nowMs += 10_000;
    feed(Attempt.SUCCESS, 1);
    feed(Attempt.FAILURE, 1);

    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void turnsHalfOpenWhenThePeriodIsOver() {
    feed(Attempt.FAILURE, 5);
    nowMs += 29_998;
    feed(Time.PASSED, 1);
    assertThat(state.status()).isEqualTo(CircuitStatus.OPEN);
    assertThat(state.statusAt(nowMs + 1)).isEqualTo(CircuitStatus.HALF_OPEN);

    feed(Time.PASSED, 1);

    assertThat(state).isEqualTo(new HalfOpen(nowMs, 0, 0, 1));
  }

  @Test
  void twoTrialSuccessesClose() {
    halfOpen();

    feed(Trial.SUCCESS, 1);
    assertThat(state.status()).isEqualTo(CircuitStatus.HALF_OPEN);
    feed(Trial.SUCCESS, 1);

    assertThat(state)
        .isEqualTo(new Closed(nowMs, OutcomeWindow.empty(POLICY.windowMs()), 0, 0, 0, 1));
  }

  @Test
  void aTrialThatEndsAfterThePeriodIsCountedEvenIfNobodySaidThatTimePassed() {
    feed(Attempt.FAILURE, 5);
    nowMs += 30_000;

    feed(Trial.SUCCESS, 2);

    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void everyFailedTrialDoublesThePeriodUpToTenMinutes() {
    feed(Attempt.FAILURE, 5);
    List<Long> periods = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Open open = (Open) state;
      periods.add(open.untilMs() - open.sinceMs());
      nowMs = open.untilMs();
      feed(Time.PASSED, 1);
      feed(Trial.FAILURE, 1);
    }

    assertThat(periods)
        .containsExactly(30_000L, 60_000L, 120_000L, 240_000L, 480_000L, 600_000L, 600_000L);
    assertThat(((Open) state).reopenings()).isEqualTo(7);
  }

  @Test
  void periodsVaryByATenthAtMost() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    List<CircuitEvent> opening = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      opening.addAll(
          Circuit.decide(new HalfOpen(0, 0, 0, 1), Trial.FAILURE, START, POLICY, random));
    }

    assertThat(opening)
        .allSatisfy(
            event -> assertThat(((Opened) event).untilMs() - START).isBetween(54_000L, 66_000L));
    assertThat(opening.stream().distinct().count()).isGreaterThan(500);
  }

  @Test
  void repliesToRequestsSentBeforeDecideNothingWhileHalfOpen() {
    halfOpen();
    CircuitState before = state;

    feed(Attempt.FAILURE, 20);
    feed(Attempt.SUCCESS, 20);
    feed(Trial.NEUTRAL, 20);

    assertThat(state).isEqualTo(before);
  }

  @Test
  void aProbeSuccessEndsThePeriodEarlyIntoHalfOpenNeverIntoClosed() {
    feed(Attempt.FAILURE, 5);
    nowMs += 5_000;

    feed(Probe.SUCCESS, 1);
    assertThat(state).isEqualTo(new HalfOpen(nowMs, 1, 0, 1));
    feed(Probe.SUCCESS, 1);

    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void aNodeThatAnswersProbesButFailsAtWorkIsTriedEverLessOften() {
    List<Long> openFor = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      feed(Attempt.FAILURE, 5);
      long openedMs = nowMs;
      while (state.status() != CircuitStatus.CLOSED) {
        nowMs += 199;
        feed(Probe.SUCCESS, 1);
      }
      openFor.add(nowMs - openedMs);
    }

    assertThat(openFor).containsExactly(1_200L, 2_200L, 4_200L, 8_200L);
  }

  @Test
  void aFailedProbeReopens() {
    halfOpen();

    feed(Probe.FAILURE, 1);

    assertThat(state).isEqualTo(new Open(nowMs, nowMs + 60_000, 1, 1));
  }

  @Test
  void fiveFailedProbesOpenAnEndpointWithoutTraffic() {
    feed(Probe.FAILURE, 4);
    feed(Probe.SUCCESS, 1);
    feed(Probe.FAILURE, 5);

    assertThat(causes()).containsExactly(Cause.PROBE_FAILURES_IN_ROW);
  }

  @Test
  void goodProbesDoNotHideFailingAttempts() {
    for (int i = 0; i < 5; i++) {
      feed(Attempt.FAILURE, 1);
      feed(Probe.SUCCESS, 1);
    }

    assertThat(causes()).containsExactly(Cause.FAILURES_IN_ROW);
  }

  @Test
  void sampledSuccessesDoNotMakeScatteredFailuresConsecutive() {
    for (int i = 0; i < 1_000; i++) {
      feed(new Reported(true, 50), 1);
    }

    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void reportsOfFiveConsecutiveFailuresOpenTheFleetsCircuitAtOnce() {
    feed(new Reported(true, 80), 1);
    feed(new Reported(true, 0), 4);

    assertThat(causes()).containsExactly(Cause.FAILURES_IN_ROW);
  }

  @Test
  void countsOfSuccessesAfterTheRowEndIt() {
    feed(new Reported(true, 0), 4);
    feed(new Counted(nowMs - 500, nowMs + 500, 3, 0), 1);
    feed(new Reported(true, 0), 4);
    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);

    feed(new Reported(true, 0), 1);

    assertThat(state.status()).isEqualTo(CircuitStatus.OPEN);
  }

  @Test
  void countsOfSuccessesThatMayHaveComeBeforeTheRowDoNotEndIt() {
    feed(new Reported(true, 0), 4);
    feed(new Counted(nowMs - 900, nowMs + 100, 3, 4), 1);
    feed(new Reported(true, 0), 1);

    assertThat(causes()).containsExactly(Cause.FAILURES_IN_ROW);
  }

  @Test
  void exactCountsFeedTheRateRule() {
    feed(new Counted(nowMs - 1_000, nowMs, 100, 99), 1);
    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);

    feed(new Counted(nowMs - 1_000, nowMs, 0, 1), 1);

    assertThat(causes()).containsExactly(Cause.FAILURE_RATE);
  }

  @Test
  void reportsDoNotFeedTheRateRule() {
    for (int i = 0; i < 100; i++) {
      feed(new Reported(true, 0), 1);
      feed(new Reported(false, 0), 1);
    }

    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void countsFromBeforeTheClosingAreOldNews() {
    halfOpen();
    feed(Trial.SUCCESS, 2);

    feed(new Counted(nowMs - 1, nowMs + 1_000, 0, 500), 1);

    assertThat(state.status()).isEqualTo(CircuitStatus.CLOSED);
  }

  @ParameterizedTest
  @EnumSource(ErrorClass.class)
  void onlyPenalisedErrorsAreFailures(ErrorClass errorClass) {
    AttemptOutcome outcome = new AttemptOutcome.Failure(errorClass, null, null, "", null);

    assertThat(outcome.attemptInput(false))
        .isEqualTo(errorClass.penalised() ? Attempt.FAILURE : Attempt.NEUTRAL);
    assertThat(outcome.attemptInput(true))
        .isEqualTo(errorClass.penalised() ? Trial.FAILURE : Trial.NEUTRAL);
    assertThat(outcome.probeInput())
        .isEqualTo(errorClass.penalised() ? Probe.FAILURE : Probe.NEUTRAL);
  }

  @Test
  void aCancelledTrialIsNeutral() {
    assertThat(new AttemptOutcome.Cancelled().attemptInput(true)).isEqualTo(Trial.NEUTRAL);
  }

  @Test
  void oneTrialPlaceIsTakenAndGivenBack() {
    TrialPlaces places = TrialPlaces.NONE_TAKEN;
    assertThat(places.free(nowMs, POLICY)).isTrue();

    places = places.take(nowMs, POLICY);
    assertThat(places.free(nowMs + 1, POLICY)).isFalse();

    assertThat(places.giveBack().free(nowMs + 1, POLICY)).isTrue();
  }

  @Test
  void aLostTrialPlaceIsFreeAgainAfterItsLease() {
    TrialPlaces places = TrialPlaces.NONE_TAKEN.take(nowMs, POLICY);

    assertThat(places.free(nowMs + 59_999, POLICY)).isFalse();
    assertThat(places.free(nowMs + 60_000, POLICY)).isTrue();
    assertThat(places.take(nowMs + 60_000, POLICY).taken()).isEqualTo(1);
  }

  @Test
  void aPolicyThatCannotWorkIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CircuitPolicy(5, 10, 20, 1.5, 10_000, 30_000, 600_000, 0.1, 2, 1, 60_000, 0, 0))
        .withMessageContaining("failureRateToOpen")
        .withMessageContaining("1.5");
  }

  private void halfOpen() {
    feed(Attempt.FAILURE, 5);
    nowMs += 30_000;
    feed(Time.PASSED, 1);
  }

  private void feed(CircuitInput input, int times) {
    for (int i = 0; i < times; i++) {
      nowMs++;
      List<CircuitEvent> decided = Circuit.decide(state, input, nowMs, POLICY, MIDDLE);
      events.addAll(decided);
      state = Circuit.evolve(state, decided, POLICY);
    }
  }

  private List<Cause> causes() {
    return events.stream()
        .filter(Opened.class::isInstance)
        .map(event -> ((Opened) event).cause())
        .toList();
  }
}
