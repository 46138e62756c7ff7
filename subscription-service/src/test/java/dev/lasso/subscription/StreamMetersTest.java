package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.subscription.ChainReader.Found;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class StreamMetersTest {
  private static final ChainId CHAIN = ChainId.of(1);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final StreamMeters meters = new StreamMeters(registry);

  @Test
  void aStreamThatDegradesAndLeavesAGapIsCounted() {
    meters.written(
        new ChainEvent.StreamStateChanged(
            CHAIN, 1, 0, 100, ChainEvent.StreamState.DEGRADED, "nobody answers"));
    meters.written(new ChainEvent.Gap(CHAIN, 2, 0, 101, 140, "too many"));
    meters.written(new ChainEvent.Gap(CHAIN, 3, 0, 150, 190, "too many"));

    assertThat(count("lasso.stream.events", "event", "degraded")).isEqualTo(1);
    assertThat(count("lasso.stream.events", "event", "gap")).isEqualTo(2);
  }

  @Test
  void blocksAskedForAreCountedByAnswer() {
    meters.fetched(CHAIN, new Found.Here<>("block"));
    meters.fetched(CHAIN, new Found.Nowhere<>());
    meters.fetched(CHAIN, new Found.Unanswered<>("refused"));
    meters.fetched(CHAIN, new Found.Unanswered<>("refused"));

    assertThat(count("lasso.stream.fetches", "outcome", "found")).isEqualTo(1);
    assertThat(count("lasso.stream.fetches", "outcome", "nowhere")).isEqualTo(1);
    assertThat(count("lasso.stream.fetches", "outcome", "unanswered")).isEqualTo(2);
  }

  private double count(String meter, String tag, String value) {
    return registry.get(meter).tag("chain", "1").tag(tag, value).counter().count();
  }
}
