package dev.lasso.subscription;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.runtime.MeterSpec;
import dev.lasso.subscription.ChainReader.Found;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;

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

  /** All of them. */
  public static final List<MeterSpec> ALL = List.of(EVENTS, FETCHES);

  private final MeterRegistry registry;

  StreamMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** An event was written for good. */
  void written(ChainEvent event) {
    EVENTS.counter(registry, event.chain().toString(), word(event)).increment();
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
