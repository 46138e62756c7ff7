package dev.lasso.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.circuit.CircuitState;
import dev.lasso.routing.circuit.CircuitState.Closed;
import dev.lasso.routing.circuit.CircuitState.HalfOpen;
import dev.lasso.routing.circuit.CircuitState.Open;
import dev.lasso.routing.circuit.OutcomeWindow;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.health.EndpointHealth;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.routing.ratelimit.RateLimitState;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HealthStateSerdeTest {
  static Stream<EndpointHealth> states() {
    OutcomeWindow window =
        OutcomeWindow.restored(1_000, 42, new long[] {1, 2, 3, 4, 5, 6, 7, 8, 1L << 33, 10});
    Failure full = new Failure(ErrorClass.RATE_LIMIT, -32005, 429, "slow down ✋", 7_000L);
    Failure bare = new Failure(ErrorClass.NETWORK_ERROR, null, null, "", null);
    return Stream.of(
        EndpointHealth.unknown(ChainId.of(1), HealthPolicy.DEFAULT),
        health(new Closed(5, window, 3, 2, 77, 4), null, null),
        health(new Open(1, 2, 3, 4), 137L, full),
        health(new HalfOpen(9, 1, 2, 3), null, bare));
  }

  @ParameterizedTest
  @MethodSource("states")
  void comesBackAsItWasWritten(EndpointHealth health) {
    assertThat(HealthStateSerde.read(HealthStateSerde.write(health))).isEqualTo(health);
  }

  @Test
  void stateOfAnotherVersionIsNotReadAtAll() {
    byte[] bytes =
        HealthStateSerde.write(EndpointHealth.unknown(ChainId.of(1), HealthPolicy.DEFAULT));
    bytes[0]++;

    assertThat(HealthStateSerde.read(bytes)).isNull();
  }

  private static EndpointHealth health(
      CircuitState circuit, @Nullable Long chainIdSeen, @Nullable Failure error) {
    return new EndpointHealth(
        ChainId.of(8453),
        circuit,
        new RateLimitState(11, 2),
        3,
        4,
        chainIdSeen,
        error,
        55,
        66,
        List.of(new LearnedLimit("trace_block", 0, 99), new LearnedLimit("eth_getLogs", 500, 98)));
  }
}
