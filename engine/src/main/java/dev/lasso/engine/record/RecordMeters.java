package dev.lasso.engine.record;

import dev.lasso.runtime.MeterSpec;
import java.time.Duration;
import java.util.List;

/** The meters of this module. */
public final class RecordMeters {
  static final MeterSpec ATTEMPTS =
      MeterSpec.counter(
          "lasso.upstream.attempts",
          "requests sent to providers, by how they ended",
          "chain",
          "instance",
          "transport",
          "outcome");

  static final MeterSpec LATENCY =
      MeterSpec.timer(
          "lasso.upstream.latency",
          "time from sending to the end of the answer, successes only",
          List.of(
              Duration.ofMillis(10),
              Duration.ofMillis(50),
              Duration.ofMillis(100),
              Duration.ofMillis(250),
              Duration.ofMillis(500),
              Duration.ofSeconds(1),
              Duration.ofSeconds(5)),
          "chain",
          "instance",
          "transport");

  static final MeterSpec DROPPED =
      MeterSpec.counter(
          "lasso.recorder.dropped",
          "observations that were not told to the fleet",
          "kind",
          "reason");

  static final MeterSpec UNDELIVERED =
      MeterSpec.counter(
          "lasso.recorder.undelivered", "records that Kafka took from us and did not keep");

  static final MeterSpec OUTBOX_SENT =
      MeterSpec.counter("lasso.outbox.sent", "probes and heads handed to Kafka", "topic");

  static final MeterSpec OUTBOX_DROPPED =
      MeterSpec.counter("lasso.outbox.dropped", "probes and heads that Kafka did not get", "topic");

  /** All of them. */
  public static final List<MeterSpec> ALL =
      List.of(ATTEMPTS, LATENCY, DROPPED, UNDELIVERED, OUTBOX_SENT, OUTBOX_DROPPED);

  private RecordMeters() {}
}
