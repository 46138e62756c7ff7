package dev.lasso.routing.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitState;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.ratelimit.RateLimitState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a process wrote whose clock was an hour ahead rests no provider for an hour. */
class ClockAheadTest {
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final long AHEAD_MS = NOW_MS + 3_600_000;
  private static final LearnedLimit LIMIT = new LearnedLimit("eth_getLogs", 0, AHEAD_MS + 60_000);

  @Test
  void whatWasPublishedIsReadAsIfMadeNow() {
    InstanceHealth read = published(AHEAD_MS).withoutFuture(NOW_MS);
    assertThat(read.atMs()).isEqualTo(NOW_MS);
    assertThat(read.openUntilMs()).isEqualTo(NOW_MS + 30_000);
    assertThat(read.rateLimitedUntilMs()).isEqualTo(NOW_MS + 5_000);
    assertThat(read.lastErrorAtMs()).isEqualTo(NOW_MS - 10);
    assertThat(read.lastProbeAtMs()).isZero();
    assertThat(read.learned().getFirst().untilMs()).isEqualTo(NOW_MS + 60_000);
  }

  @Test
  void smallDifferencesAndThePastStayAsTheyAre() {
    for (long atMs : new long[] {NOW_MS + 10_000, NOW_MS, NOW_MS - 3_600_000}) {
      InstanceHealth told = published(atMs);
      assertThat(told.withoutFuture(NOW_MS)).isSameAs(told);
    }
  }

  @Test
  void whatIsTakenOverFromSuchAProcessEndsAsItWasMeant() {
    EndpointHealth taken =
        health(new CircuitState.Open(AHEAD_MS, AHEAD_MS + 30_000, 1, 2)).withoutFuture(NOW_MS);
    assertThat(taken.circuit()).isEqualTo(new CircuitState.Open(NOW_MS, NOW_MS + 30_000, 1, 2));
    assertThat(taken.circuit().statusAt(NOW_MS + 30_000)).isEqualTo(CircuitStatus.HALF_OPEN);
    assertThat(taken.rateLimit().limitedAt(NOW_MS + 5_000)).isFalse();
    assertThat(taken.lastProbeAtMs()).isLessThanOrEqualTo(NOW_MS);
    assertThat(taken.learned().getFirst().untilMs()).isEqualTo(NOW_MS + 60_000);
  }

  @Test
  void aCircuitThatIsTriedStaysSo() {
    assertThat(health(new CircuitState.HalfOpen(AHEAD_MS, 1, 0, 1)).withoutFuture(NOW_MS).circuit())
        .isEqualTo(new CircuitState.HalfOpen(NOW_MS, 1, 0, 1));
  }

  @Test
  void whatIsNotFromTheFutureIsTakenOverAsItIs() {
    EndpointHealth known = health(new CircuitState.Open(NOW_MS, NOW_MS + 30_000, 1, 2));
    assertThat(known.withoutFuture(AHEAD_MS)).isSameAs(known);
  }

  private static EndpointHealth health(CircuitState circuit) {
    return new EndpointHealth(
        ChainId.of(1),
        circuit,
        new RateLimitState(AHEAD_MS + 5_000, 1),
        0,
        0,
        null,
        null,
        AHEAD_MS - 10,
        AHEAD_MS - 20,
        List.of(LIMIT));
  }

  private static InstanceHealth published(long atMs) {
    return new InstanceHealth(
        Region.of("local"),
        ChainId.of(1),
        new Endpoint(InstanceId.of("host-abc"), Transport.HTTP),
        atMs,
        HealthStatus.UNAVAILABLE,
        CircuitStatus.OPEN,
        atMs + 30_000,
        0,
        0,
        atMs + 5_000,
        1,
        1,
        0,
        null,
        null,
        atMs - 10,
        0,
        List.of(LIMIT));
  }
}
