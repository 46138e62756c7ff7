package dev.lasso.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.FleetState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the fleet publishes brings this process's own circuit back. */
class HeardHealthTest {
  private static final Endpoint ENDPOINT = new Endpoint(InstanceId.of("node-1"), Transport.HTTP);
  private static final long START = 1_700_000_000_000L;

  private final LocalEndpoints local =
      new LocalEndpoints(CircuitPolicy.DEFAULT, RateLimitPolicy.DEFAULT, _ -> true);

  @BeforeEach
  void failFiveTimes() {
    for (int i = 0; i < 5; i++) {
      LocalEndpoints.Admitted attempt =
          Objects.requireNonNull(local.admit(ENDPOINT, FleetState.UNKNOWN, START));
      attempt.ended(new Failure(ErrorClass.NETWORK_ERROR, null, null, "refused", null), 1, START);
    }
    assertThat(circuit(START)).isEqualTo(CircuitStatus.OPEN);
  }

  @Test
  void twoGoodProbesOfTheFleetCloseIt() {
    local.heard(health(START + 2_000, 0), START + 2_010);
    assertThat(circuit(START + 2_010)).isEqualTo(CircuitStatus.HALF_OPEN);
    local.heard(health(START + 4_000, 0), START + 4_010);

    assertThat(circuit(START + 4_010)).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void aProbeFromBeforeOrToldTwiceOrFailedChangesNothing() {
    local.heard(health(START - 1, 0), START + 2_000);
    local.heard(health(START + 2_000, 3), START + 2_000);
    assertThat(circuit(START + 2_000)).isEqualTo(CircuitStatus.OPEN);

    local.heard(health(START + 3_000, 0), START + 3_000);
    local.heard(health(START + 3_000, 0), START + 3_100);

    assertThat(circuit(START + 3_100)).isEqualTo(CircuitStatus.HALF_OPEN);
  }

  private CircuitStatus circuit(long atMs) {
    return local.endpoint(ENDPOINT).circuitAt(atMs);
  }

  private static InstanceHealth health(long probedAtMs, int consecutiveFailures) {
    return new InstanceHealth(
        Region.of("eu"),
        ChainId.of(1),
        ENDPOINT,
        probedAtMs,
        HealthStatus.HEALTHY,
        CircuitStatus.CLOSED,
        0,
        0,
        0,
        0,
        0,
        consecutiveFailures,
        1,
        null,
        null,
        0,
        probedAtMs,
        List.of());
  }
}
