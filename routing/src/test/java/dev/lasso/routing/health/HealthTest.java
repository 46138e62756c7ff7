package dev.lasso.routing.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.AttemptOutcome.Cancelled;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.AttemptOutcome.Success;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.event.ProbeResult;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HealthTest {
  private static final HealthPolicy POLICY = HealthPolicy.DEFAULT;
  private static final Region REGION = Region.of("eu");
  private static final ChainId CHAIN = ChainId.of(1);
  private static final InstanceId INSTANCE = InstanceId.of("node-0123456789ab");
  private static final Endpoint ENDPOINT = new Endpoint(INSTANCE, Transport.HTTP);
  private static final long START = 1_700_000_000_000L;

  private final SplittableRandom random = new SplittableRandom(7);
  private EndpointHealth health = EndpointHealth.unknown(CHAIN, POLICY);
  private long nowMs = START;

  @Test
  void isUnknownUntilTried() {
    assertThat(view().status()).isEqualTo(HealthStatus.UNKNOWN);

    attempt(new Success());

    assertThat(view().status()).isEqualTo(HealthStatus.HEALTHY);
  }

  @Test
  void fiveReportedFailuresOpenTheFleetsCircuit() {
    for (int i = 0; i < 5; i++) {
      attempt(failure(ErrorClass.NETWORK_ERROR));
    }

    InstanceHealth view = view();
    assertThat(view.circuit()).isEqualTo(CircuitStatus.OPEN);
    assertThat(view.status()).isEqualTo(HealthStatus.UNAVAILABLE);
    assertThat(view.openUntilMs()).isBetween(nowMs + 26_000, nowMs + 34_000);
    assertThat(view.consecutiveFailures()).isEqualTo(5);
    assertThat(view.lastError()).isNotNull();
  }

  @Test
  void scatteredFailuresOfABusyEndpointDoNot() {
    for (int i = 0; i < 100; i++) {
      attempt(failure(ErrorClass.TIMEOUT), 40, 0);
    }

    assertThat(view().circuit()).isEqualTo(CircuitStatus.CLOSED);
    assertThat(view().consecutiveFailures()).isEqualTo(1);
  }

  @Test
  void rateLimitsSetADeadlineAndNeverOpen() {
    for (int i = 0; i < 50; i++) {
      attempt(new Failure(ErrorClass.RATE_LIMIT, -32005, 429, "slow down", 7_000L));
    }

    InstanceHealth view = view();
    assertThat(view.circuit()).isEqualTo(CircuitStatus.CLOSED);
    assertThat(view.status()).isEqualTo(HealthStatus.DEGRADED);
    assertThat(view.rateLimitedUntilMs()).isEqualTo(nowMs + 7_000);
    nowMs += 7_000;
    pass();
    assertThat(view().rateLimitedUntilMs()).isZero();
  }

  @Test
  void aRateRuleOverDigestsOpensIt() {
    health = Health.counted(health, digest(10, 10), nowMs, POLICY, random).health();

    assertThat(view().circuit()).isEqualTo(CircuitStatus.OPEN);
  }

  @Test
  void aDigestOfSuccessesEndsARow() {
    for (int i = 0; i < 4; i++) {
      attempt(failure(ErrorClass.SERVER_ERROR));
    }
    nowMs += 1_000;
    health = Health.counted(health, digest(3, 0), nowMs, POLICY, random).health();
    attempt(failure(ErrorClass.SERVER_ERROR));

    assertThat(view().circuit()).isEqualTo(CircuitStatus.CLOSED);
    assertThat(view().consecutiveFailures()).isEqualTo(1);
  }

  @Test
  void comesBackThroughProbesAlone() {
    for (int i = 0; i < 5; i++) {
      attempt(failure(ErrorClass.NETWORK_ERROR));
    }
    nowMs += 2_000;
    probe(new Success(), 1L);
    assertThat(view().circuit()).isEqualTo(CircuitStatus.HALF_OPEN);
    nowMs += 2_000;
    probe(new Success(), 1L);

    assertThat(view().circuit()).isEqualTo(CircuitStatus.CLOSED);
    assertThat(view().status()).isEqualTo(HealthStatus.HEALTHY);
  }

  @Test
  void turnsHalfOpenByTimeAlone() {
    for (int i = 0; i < 5; i++) {
      attempt(failure(ErrorClass.NETWORK_ERROR));
    }
    nowMs += 34_000;
    pass();

    assertThat(view().circuit()).isEqualTo(CircuitStatus.HALF_OPEN);
    assertThat(view().openUntilMs()).isZero();
  }

  @Test
  void anAttemptSentBeforeItTurnedHalfOpenIsNoTrial() {
    for (int i = 0; i < 5; i++) {
      attempt(failure(ErrorClass.NETWORK_ERROR));
    }
    nowMs += 34_000;
    pass();
    nowMs += 1_000;

    attempt(failure(ErrorClass.TIMEOUT), 0, 30_000);
    assertThat(view().circuit()).isEqualTo(CircuitStatus.HALF_OPEN);
    attempt(failure(ErrorClass.TIMEOUT), 0, 500);

    assertThat(view().circuit()).isEqualTo(CircuitStatus.OPEN);
    assertThat(view().reopenings()).isEqualTo(1);
  }

  @Test
  void aWrongChainStaysWrongUntilTheRightOneIsAnswered() {
    probe(failure(ErrorClass.CHAIN_MISMATCH), 137L);
    assertThat(view().chainIdSeen()).isEqualTo(137);
    assertThat(view().status()).isEqualTo(HealthStatus.UNAVAILABLE);

    nowMs += 1_000;
    probe(failure(ErrorClass.TIMEOUT), null);
    attempt(new Success());
    assertThat(view().chainIdSeen()).isEqualTo(137);

    nowMs += 1_000;
    probe(new Success(), 1L);
    assertThat(view().chainIdSeen()).isNull();
  }

  @Test
  void anUnservedMethodIsRememberedForAWhile() {
    attempt(failure(ErrorClass.METHOD_NOT_FOUND));

    assertThat(view().learned())
        .containsExactly(new LearnedLimit("eth_getLogs", 0, nowMs + 600_000));
    assertThat(view().circuit()).isEqualTo(CircuitStatus.CLOSED);
    nowMs += 600_000;
    pass();
    assertThat(view().learned()).isEmpty();
  }

  @Test
  void anAnswerDisprovesWhatWasLearned() {
    attempt(failure(ErrorClass.METHOD_UNSUPPORTED));
    attempt(new Success());

    assertThat(view().learned()).isEmpty();
  }

  @Test
  void aNamedBlockRangeIsRememberedAndAWiderAnswerDisprovesIt() {
    Failure refusal =
        new Failure(ErrorClass.RANGE_TOO_LARGE, -32602, null, "block range limited to 1,000", null);
    attemptOverRange(refusal, 5_000);
    assertThat(view().learned())
        .containsExactly(new LearnedLimit("eth_getLogs", 1_000, nowMs + 600_000));

    attemptOverRange(new Success(), 900);
    assertThat(view().learned()).hasSize(1);
    attemptOverRange(new Success(), 1_001);
    assertThat(view().learned()).isEmpty();
  }

  @Test
  void aRefusalForResultSizeTeachesNothingAboutRanges() {
    attemptOverRange(
        new Failure(
            ErrorClass.RANGE_TOO_LARGE,
            -32005,
            null,
            "query returned more than 10000 results",
            null),
        50_000);

    assertThat(view().learned()).isEmpty();
  }

  @Test
  void callersCannotMakeTheLearnedListGrow() {
    for (int i = 0; i < 1_000; i++) {
      nowMs++;
      Attempt attempt = attemptOf("eth_typo" + i, failure(ErrorClass.METHOD_NOT_FOUND), 0, 0, 0);
      health = Health.attempted(health, attempt, nowMs, POLICY, random).health();
    }

    assertThat(view().learned()).hasSize(POLICY.maxLearned());
    assertThat(view().learned().getLast().method()).isEqualTo("eth_typo999");
  }

  @Test
  void cancelledAttemptsSayNothingAboutTheEndpoint() {
    EndpointHealth before = health;
    attempt(new Cancelled());

    assertThat(health).isEqualTo(before);
  }

  @Test
  void aReporterWithAWrongClockDoesNotShiftTheOpenPeriod() {
    for (int i = 0; i < 5; i++) {
      Attempt attempt =
          new Attempt(
              REGION,
              "p",
              ProfileSlug.of("default"),
              CHAIN,
              new Channel(ProviderId.of("a"), INSTANCE, Transport.HTTP),
              "eth_call",
              new RequestId("r"),
              nowMs + 86_400_000,
              3,
              failure(ErrorClass.NETWORK_ERROR),
              0,
              0);
      health = Health.attempted(health, attempt, nowMs, POLICY, random).health();
    }

    assertThat(view().openUntilMs()).isBetween(nowMs + 20_000, nowMs + 34_000);
  }

  @Test
  void aProberWhoseClockIsAheadDoesNotMakeTheProbesOfOthersLookOld() {
    ProbeResult ahead =
        new ProbeResult(
            REGION, "h", CHAIN, ENDPOINT, nowMs + 3_600_000, 5, new Success(), 1L, null, false);
    health = Health.probed(health, ahead, nowMs, POLICY, random).health();
    assertThat(view().lastProbeAtMs()).isEqualTo(nowMs);
    nowMs += 1_000;
    probe(failure(ErrorClass.TIMEOUT), null);
    assertThat(view().consecutiveFailures()).isEqualTo(1);
  }

  private InstanceHealth view() {
    return health.toInstanceHealth(REGION, ENDPOINT, nowMs, POLICY);
  }

  private void attempt(AttemptOutcome outcome) {
    attempt(outcome, 0, 3);
  }

  private void attempt(AttemptOutcome outcome, long successesBefore, double latencyMs) {
    Attempt attempt = attemptOf("eth_getLogs", outcome, latencyMs, 0, successesBefore);
    health = Health.attempted(health, attempt, nowMs, POLICY, random).health();
  }

  private void attemptOverRange(AttemptOutcome outcome, long blockRange) {
    Attempt attempt = attemptOf("eth_getLogs", outcome, 3, blockRange, 0);
    health = Health.attempted(health, attempt, nowMs, POLICY, random).health();
  }

  private Attempt attemptOf(
      String method,
      AttemptOutcome outcome,
      double latencyMs,
      long blockRange,
      long successesBefore) {
    return new Attempt(
        REGION,
        "p",
        ProfileSlug.of("default"),
        CHAIN,
        new Channel(ProviderId.of("a"), INSTANCE, Transport.HTTP),
        method,
        new RequestId("r"),
        nowMs,
        latencyMs,
        outcome,
        blockRange,
        successesBefore);
  }

  private void probe(AttemptOutcome outcome, @Nullable Long chainIdSeen) {
    ProbeResult probe =
        new ProbeResult(REGION, "h", CHAIN, ENDPOINT, nowMs, 5, outcome, chainIdSeen, null, false);
    health = Health.probed(health, probe, nowMs, POLICY, random).health();
  }

  private void pass() {
    health = Health.timePassed(health, nowMs, POLICY, random).health();
  }

  private LatencyDigest digest(long successes, long failures) {
    return new LatencyDigest(
        REGION,
        "p",
        ProfileSlug.of("default"),
        CHAIN,
        new Channel(ProviderId.of("a"), INSTANCE, Transport.HTTP),
        "eth_call",
        nowMs - 500,
        nowMs + 1,
        Bytes.EMPTY,
        successes,
        failures == 0 ? Map.of() : Map.of(ErrorClass.TIMEOUT, failures));
  }

  private static Failure failure(ErrorClass errorClass) {
    return new Failure(errorClass, null, null, "it broke", null);
  }
}
