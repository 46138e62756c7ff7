package dev.lasso.subscription;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.runtime.MeterSpec;
import dev.lasso.subscription.ChainReader.Found;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of the chains that this process owns: what the telemetry events of the seed page
 * websocket-subscriptions tell. Any thread.
 */
public final class StreamMeters {
  private static final MeterSpec EVENTS =
      MeterSpec.counter(
          "lasso.stream.events",
          "chain events written, by kind: block_added, block_removed, gap, or the state that the"
              + " stream has gone into",
          "chain",
          "event");

  private static final MeterSpec FETCHES =
      MeterSpec.counter(
          "lasso.stream.fetches",
          "blocks asked of providers to fill gaps: found, nowhere or unanswered",
          "chain",
          "outcome");

  private static final MeterSpec RECOVERY =
      MeterSpec.timer(
          "lasso.stream.recovery",
          "time from a stream's leaving the state active until it is active again",
          List.of(
              Duration.ofSeconds(2),
              Duration.ofSeconds(5),
              Duration.ofSeconds(10),
              Duration.ofSeconds(30),
              Duration.ofMinutes(1),
              Duration.ofMinutes(5)),
          "chain");

  /** All of them. */
  public static final List<MeterSpec> ALL = List.of(EVENTS, FETCHES, RECOVERY);

  private final MeterRegistry registry;
  private final Map<ChainId, Long> leftActiveMs = new ConcurrentHashMap<>();

  StreamMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** A chain's stream goes on in this process as another one left it. */
  void goesOn(ChainId chain, ChainHistory history) {
    if (history.leftActiveMs() != 0) {
      leftActiveMs.put(chain, history.leftActiveMs());
    }
  }

  /** An event was written for good. */
  void written(ChainEvent event) {
    EVENTS.counter(registry, event.chain().toString(), word(event)).increment();
    if (event instanceof ChainEvent.StreamStateChanged changed) {
      became(changed);
    }
  }

  private void became(ChainEvent.StreamStateChanged changed) {
    if (changed.state() != ChainEvent.StreamState.ACTIVE) {
      leftActiveMs.putIfAbsent(changed.chain(), changed.atMs());
      return;
    }
    Long leftMs = leftActiveMs.remove(changed.chain());
    if (leftMs != null) {
      RECOVERY
          .timer(registry, changed.chain().toString())
          .record(Math.max(0, changed.atMs() - leftMs), TimeUnit.MILLISECONDS);
    }
  }

  /** Providers were asked for a block. */
  void fetched(ChainId chain, Found<?> found) {
    String outcome =
        switch (found) {
          case Found.Here<?> _ -> "found";
          case Found.Nowhere<?> _ -> "nowhere";
          case Found.Unanswered<?> _ -> "unanswered";
        };
    FETCHES.counter(registry, chain.toString(), outcome).increment();
  }

  private static String word(ChainEvent event) {
    return switch (event) {
      case ChainEvent.BlockAdded _ -> "block_added";
      case ChainEvent.BlockRemoved _ -> "block_removed";
      case ChainEvent.Gap _ -> "gap";
      case ChainEvent.StreamStateChanged changed -> changed.state().name().toLowerCase(Locale.ROOT);
    };
  }
}
