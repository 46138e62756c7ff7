package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.subscription.ChainReader.Found;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
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
  void theWayBackToActiveIsTimedFromTheFirstStateThatIsNot() {
    meters.written(state(1_000, ChainEvent.StreamState.BACKFILLING));
    meters.written(state(2_000, ChainEvent.StreamState.DEGRADED));
    meters.written(state(8_000, ChainEvent.StreamState.ACTIVE));
    meters.written(state(9_000, ChainEvent.StreamState.ACTIVE));

    Timer recovery = registry.get("lasso.stream.recovery").tag("chain", "1").timer();
    assertThat(recovery.count()).isEqualTo(1);
    assertThat(recovery.totalTime(TimeUnit.SECONDS)).isEqualTo(7);
  }

  @Test
  void theWayBackIsTimedAcrossAChangeOfOwner() {
    ChainHistory history =
        ChainHistory.none(16)
            .with(state(1_000, ChainEvent.StreamState.BACKFILLING))
            .with(state(2_000, ChainEvent.StreamState.DEGRADED));
    meters.goesOn(CHAIN, history);
    meters.written(state(8_000, ChainEvent.StreamState.ACTIVE));

    Timer recovery = registry.get("lasso.stream.recovery").tag("chain", "1").timer();
    assertThat(recovery.count()).isEqualTo(1);
    assertThat(recovery.totalTime(TimeUnit.SECONDS)).isEqualTo(7);
  }

  private static ChainEvent state(long atMs, ChainEvent.StreamState state) {
    return new ChainEvent.StreamStateChanged(CHAIN, 1, atMs, 100, state, "");
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
