package dev.lasso.benchmark;

import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.schemas.MetricsKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/**
 * Folds latency digests into rows of evidence over a sliding window. Every digest is in the stores
 * before its position is committed, so a restart loses and repeats nothing; what follows from the
 * stores (which rows are due) is worked out anew.
 *
 * <p>The clock is the process's wall clock: a digest counts from its end, or from now where its
 * sender's clock is ahead, and is passed over when it ended before the window.
 *
 * <p>The Streams task owns it.
 */
final class MetricsFold
    implements Processor<MetricsKey, LatencyDigest, MetricsKey, ProviderMetrics> {
  /** Store of the buckets, by key and start. */
  static final String EVIDENCE = "evidence";

  /** Store of the rows as they were last published. */
  static final String ROWS = "rows";

  private static final Duration SWEEP = Duration.ofMinutes(1);
  private static final Duration SHORTEST_TICK = Duration.ofMillis(50);

  private final BenchmarkPolicy policy;
  private final Set<Integer> partitions;
  private final Summary summary;
  private final Map<MetricsKey, Long> publishedAtMs = new HashMap<>();
  private final Set<MetricsKey> due = new LinkedHashSet<>();
  private @Nullable ProcessorContext<MetricsKey, ProviderMetrics> context;
  private @Nullable WindowStore<MetricsKey, Bucket> evidence;
  private @Nullable KeyValueStore<MetricsKey, ProviderMetrics> rows;

  /**
   * A fold for one task.
   *
   * @param partitions the partitions that this process folds; thread-safe
   */
  MetricsFold(BenchmarkPolicy policy, Set<Integer> partitions) {
    this.partitions = partitions;
    this.policy = policy;
    this.summary = new Summary(policy);
  }

  @Override
  public void init(ProcessorContext<MetricsKey, ProviderMetrics> given) {
    context = given;
    evidence = given.getStateStore(EVIDENCE);
    rows = given.getStateStore(ROWS);
    publishedAtMs.clear();
    due.clear();
    try (KeyValueIterator<Windowed<MetricsKey>, Bucket> all = evidence().all()) {
      all.forEachRemaining(bucket -> due.add(bucket.key.key()));
    }
    Duration tick = policy.publishInterval().dividedBy(2);
    given.schedule(
        tick.compareTo(SHORTEST_TICK) < 0 ? SHORTEST_TICK : tick,
        PunctuationType.WALL_CLOCK_TIME,
        _ -> publishDue());
    given.schedule(SWEEP, PunctuationType.WALL_CLOCK_TIME, _ -> sweep());
    partitions.add(given.taskId().partition());
  }

  @Override
  public void process(Record<MetricsKey, LatencyDigest> told) {
    MetricsKey key = told.key();
    LatencyDigest digest = told.value();
    long nowMs = nowMs();
    long endMs = Math.min(digest.toMs(), nowMs);
    if (endMs <= nowMs - policy.windowMs()) {
      return;
    }
    long startMs = endMs - Math.floorMod(endMs, policy.bucketMs());
    Bucket stored = evidence().fetch(key, startMs);
    Bucket bucket = stored == null ? Bucket.empty(digest.channel()) : stored;
    if (bucket.holds(digest)) {
      return;
    }
    evidence().put(key, bucket.plus(digest, endMs), startMs);
    if (isTime(key, nowMs)) {
      publish(key, nowMs);
    } else {
      due.add(key);
    }
  }

  @Override
  public void close() {
    if (context != null) {
      partitions.remove(context.taskId().partition());
    }
  }

  private boolean isTime(MetricsKey key, long nowMs) {
    Long lastMs = publishedAtMs.get(key);
    return lastMs == null || nowMs - lastMs >= policy.publishIntervalMs();
  }

  private void publishDue() {
    long nowMs = nowMs();
    for (MetricsKey key : List.copyOf(due)) {
      if (isTime(key, nowMs)) {
        publish(key, nowMs);
      }
    }
  }

  private void publish(MetricsKey key, long nowMs) {
    due.remove(key);
    summary.begin();
    try (WindowStoreIterator<Bucket> buckets =
        evidence().fetch(key, nowMs - policy.windowMs() + 1, nowMs)) {
      buckets.forEachRemaining(bucket -> summary.add(bucket.value));
    }
    ProviderMetrics last = rows().get(key);
    ProviderMetrics row = summary.row(key, last);
    if (row == null || row.equals(last)) {
      return;
    }
    rows().put(key, row);
    publishedAtMs.put(key, nowMs);
    context().forward(new Record<>(key, row, row.updatedAtMs()));
  }

  /** Removes rows that nothing was told about for the idle time. */
  private void sweep() {
    long nowMs = nowMs();
    long idleSinceMs = nowMs - policy.idle().toMillis();
    List<MetricsKey> idle = new ArrayList<>();
    try (KeyValueIterator<MetricsKey, ProviderMetrics> all = rows().all()) {
      while (all.hasNext()) {
        KeyValue<MetricsKey, ProviderMetrics> row = all.next();
        if (row.value.updatedAtMs() <= idleSinceMs) {
          idle.add(row.key);
        }
      }
    }
    for (MetricsKey key : idle) {
      rows().delete(key);
      context().forward(new Record<>(key, null, nowMs));
    }
    publishedAtMs.values().removeIf(atMs -> atMs <= nowMs - policy.publishIntervalMs());
  }

  private long nowMs() {
    return context().currentSystemTimeMs();
  }

  private ProcessorContext<MetricsKey, ProviderMetrics> context() {
    return Objects.requireNonNull(context, "not initialised");
  }

  private WindowStore<MetricsKey, Bucket> evidence() {
    return Objects.requireNonNull(evidence, "not initialised");
  }

  private KeyValueStore<MetricsKey, ProviderMetrics> rows() {
    return Objects.requireNonNull(rows, "not initialised");
  }
}
