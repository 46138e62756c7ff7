package dev.lasso.engine.record;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The meters of upstream attempts and of the recorder. Instances and chains are as many as profiles
 * name, outcomes are error classes: no tag holds anything a caller chose. Attempt meters belong to
 * the agent thread; {@link #dropped} may be called from any.
 */
final class RecorderMeters {
  /** What a record is about. */
  enum Kind {
    ATTEMPT("attempt"),
    DIGEST("digest"),
    DECISION("decision");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  private record Series(ChainId chain, Endpoint endpoint, String outcome) {}

  private final MeterRegistry registry;
  private final Map<Series, Counter> attempts = new HashMap<>();
  private final Map<Series, Timer> latencies = new HashMap<>();
  private final Map<Kind, Counter> full;
  private final Map<Kind, Counter> unsent;

  RecorderMeters(MeterRegistry registry) {
    this.registry = registry;
    this.full = counters("queue_full");
    this.unsent = counters("kafka_away");
  }

  private Map<Kind, Counter> counters(String reason) {
    Map<Kind, Counter> counters = new java.util.EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      counters.put(kind, RecordMeters.DROPPED.counter(registry, kind.word, reason));
    }
    return java.util.Collections.unmodifiableMap(counters);
  }

  /** The queue had no room. Any thread. */
  void dropped(Kind kind) {
    increment(full, kind);
  }

  /** Kafka did not take it. */
  void unsent(Kind kind) {
    increment(unsent, kind);
  }

  private static void increment(Map<Kind, Counter> counters, Kind kind) {
    Counter counter = counters.get(kind);
    if (counter != null) {
      counter.increment();
    }
  }

  void count(Attempt attempt) {
    String outcome =
        switch (attempt.outcome()) {
          case AttemptOutcome.Success _ -> "success";
          case AttemptOutcome.Failure failure -> failure.errorClass().word();
          case AttemptOutcome.Cancelled _ -> "cancelled";
        };
    Series series = new Series(attempt.chain(), attempt.channel().endpoint(), outcome);
    attempts.computeIfAbsent(series, this::counter).increment();
    if (attempt.outcome().succeeded()) {
      latencies
          .computeIfAbsent(series, this::timer)
          .record((long) (attempt.latencyMs() * 1_000), TimeUnit.MICROSECONDS);
    }
  }

  private Counter counter(Series series) {
    return RecordMeters.ATTEMPTS.counter(
        registry,
        series.chain().toString(),
        series.endpoint().instance().value(),
        series.endpoint().transport().word(),
        series.outcome());
  }

  private Timer timer(Series series) {
    return RecordMeters.LATENCY.timer(
        registry,
        series.chain().toString(),
        series.endpoint().instance().value(),
        series.endpoint().transport().word());
  }
}
