package dev.lasso.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lasso.engine.local.LocalEndpoints.Admitted;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.FleetState;
import dev.lasso.routing.select.LocalEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trial places, load, latency and rest of the endpoints that a process knows. */
class LocalEndpointsTest {
  private static final Endpoint ENDPOINT = new Endpoint(InstanceId.of("node-1"), Transport.HTTP);
  private static final long NOW = 1_700_000_000_000L;
  private static final FleetState HALF_OPEN =
      new FleetState(CircuitStatus.HALF_OPEN, 0, 0, null, List.of(), null);
  private static final FleetState OPEN =
      new FleetState(CircuitStatus.OPEN, NOW + 5_000, 0, null, List.of(), null);

  private final LocalEndpoints local =
      new LocalEndpoints(CircuitPolicy.DEFAULT, RateLimitPolicy.DEFAULT, _ -> true);

  private static AttemptOutcome failure(ErrorClass errorClass, @Nullable Long retryAfterMs) {
    return new AttemptOutcome.Failure(errorClass, null, null, "", retryAfterMs);
  }

  private Admitted admit(FleetState fleet) {
    return Objects.requireNonNull(local.admit(ENDPOINT, fleet, NOW));
  }

  private LocalEndpoint state() {
    return local.endpoint(ENDPOINT);
  }

  enum Ending {
    SUCCESS,
    PENALISED,
    NEUTRAL,
    RATE_LIMITED,
    CANCELLED;

    AttemptOutcome outcome() {
      return switch (this) {
        case SUCCESS -> new AttemptOutcome.Success();
        case PENALISED -> failure(ErrorClass.SERVER_ERROR, null);
        case NEUTRAL -> failure(ErrorClass.INVALID_PARAMS, null);
        case RATE_LIMITED -> failure(ErrorClass.RATE_LIMIT, 2_000L);
        case CANCELLED -> new AttemptOutcome.Cancelled();
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOneTrialPlaceComesBackHoweverTheTrialEnds(Ending ending) {
    Admitted trial = admit(HALF_OPEN);
    assertThat(trial.trial()).isTrue();
    assertThat(local.admit(ENDPOINT, HALF_OPEN, NOW)).isNull();
    assertThat(state().trialsInFlight()).isEqualTo(1);

    trial.ended(ending.outcome(), 1, NOW);

    assertThat(state().trialsInFlight()).isZero();
    assertThat(state().inFlight()).isZero();
    assertThat(local.admit(ENDPOINT, HALF_OPEN, NOW)).isNotNull();
  }

  @Test
  void manyThreadsGetOneTrialPlaceBetweenThem() throws Exception {
    CountDownLatch together = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> asked = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        Callable<Boolean> ask =
            () -> {
              together.await();
              return local.admit(ENDPOINT, HALF_OPEN, NOW) != null;
            };
        asked.add(threads.submit(ask));
      }
      together.countDown();
      int admitted = 0;
      for (Future<Boolean> each : asked) {
        admitted += each.get() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(1);
    }
  }

  @Test
  void anOpenCircuitOfTheFleetAdmitsNobody() {
    assertThat(local.admit(ENDPOINT, OPEN, NOW)).isNull();
    assertThat(state().inFlight()).isZero();
  }

  @Test
  void aClosedCircuitAdmitsAnyNumber() {
    for (int i = 1; i <= 100; i++) {
      assertThat(admit(FleetState.UNKNOWN).trial()).isFalse();
      assertThat(state().inFlight()).isEqualTo(i);
    }
  }

  @Test
  void latencyJumpsUpAtOnceAndComesDownSlowly() {
    admit(FleetState.UNKNOWN).ended(new AttemptOutcome.Success(), 100, NOW);
    assertThat(state().latencyEwmaMs()).isEqualTo(100);
    admit(FleetState.UNKNOWN).ended(new AttemptOutcome.Success(), 10, NOW);
    assertThat(state().latencyEwmaMs()).isEqualTo(91, within(1e-9));
    admit(FleetState.UNKNOWN).ended(failure(ErrorClass.TIMEOUT, null), 5_000, NOW);
    assertThat(state().latencyEwmaMs()).isEqualTo(91, within(1e-9));
    admit(FleetState.UNKNOWN).ended(new AttemptOutcome.Success(), 200, NOW);
    assertThat(state().latencyEwmaMs()).isEqualTo(200);
  }

  @Test
  void restsForTheCircuitOrTheRateLimitWhicheverIsLonger() {
    assertThat(local.restsUntilMs(ENDPOINT, NOW)).isZero();
    admit(FleetState.UNKNOWN).ended(failure(ErrorClass.RATE_LIMIT, 4_000L), 1, NOW);
    assertThat(state().rateLimitedUntilMs()).isEqualTo(NOW + 4_000);
    assertThat(local.restsUntilMs(ENDPOINT, NOW)).isEqualTo(NOW + 4_000);
    assertThat(state().circuitAt(NOW)).isEqualTo(CircuitStatus.CLOSED);
    List<Admitted> together = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      together.add(admit(FleetState.UNKNOWN));
    }
    together.forEach(attempt -> attempt.ended(failure(ErrorClass.TIMEOUT, null), 1, NOW));
    assertThat(local.restsUntilMs(ENDPOINT, NOW)).isGreaterThan(NOW + 20_000);
    assertThat(local.restsUntilMs(ENDPOINT, NOW + 3_600_000)).isZero();
  }

  @Test
  void theHighestHeightToldIsKept() {
    assertThat(local.heightSeen(ENDPOINT)).isEqualTo(-1);
    local.sawHeight(ENDPOINT, 7);
    local.sawHeight(ENDPOINT, 5);
    assertThat(local.heightSeen(ENDPOINT)).isEqualTo(7);
  }

  @Test
  void anAttemptThatOutlivesItsEndpointEndsUnharmed() {
    Admitted attempt = admit(FleetState.UNKNOWN);
    local.keep(Set.of());
    attempt.ended(failure(ErrorClass.TIMEOUT, null), 1, NOW);
    assertThat(state().inFlight()).isZero();
    assertThat(state().circuitAt(NOW)).isEqualTo(CircuitStatus.CLOSED);
  }
}
