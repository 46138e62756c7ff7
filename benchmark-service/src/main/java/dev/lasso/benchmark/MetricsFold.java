package dev.lasso.benchmark;

import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.schemas.MetricsKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Folds latency digests into rows of evidence over a sliding window. Every digest is in the stores
 * before its position is committed, so a restart loses and repeats nothing; what follows from the
 * stores (which rows are due) is worked out anew.
 *
 * <p>The clock is the process's wall clock: a digest counts from its end, or from now where its
 * sender's clock is ahead, and is passed over when it ended before the window. That clock may go
 * back, and whoever folded before may have had one that was ahead: buckets of the future count
 * nothing and are dropped, and the store knows no time of its own by which they could age those of
 * now.
 *
 * <p>The Streams task owns it.
 */
final class MetricsFold
    implements Processor<MetricsKey, LatencyDigest, MetricsKey, ProviderMetrics> {
  /** Store of the buckets, by key and start. */
  static final String BUCKETS = "buckets";

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
  private @Nullable KeyValueStore<Slice, Bucket> buckets;
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
    buckets = given.getStateStore(BUCKETS);
    rows = given.getStateStore(ROWS);
    publishedAtMs.clear();
    due.clear();
    due.addAll(dropBuckets(nowMs()));
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
    Slice slice = new Slice(key, startMs);
    Bucket stored = buckets().get(slice);
    Bucket bucket = stored == null ? Bucket.empty(digest.channel()) : stored;
    if (bucket.holds(digest)) {
      return;
    }
    buckets().put(slice, bucket.plus(digest, endMs));
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
    return lastMs == null || Math.abs(nowMs - lastMs) >= policy.publishIntervalMs();
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
    Slice oldest = new Slice(key, Math.max(0, nowMs - policy.windowMs() + 1));
    try (KeyValueIterator<Slice, Bucket> window = buckets().range(oldest, new Slice(key, nowMs))) {
      window.forEachRemaining(bucket -> summary.add(bucket.value));
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

  /**
   * Drops the buckets that the window has left behind, and those that begin in the future.
   *
   * @return the keys of those that stay
   */
  private Set<MetricsKey> dropBuckets(long nowMs) {
    long leftMs = nowMs - policy.windowMs() - policy.bucketMs();
    List<Slice> dropped = new ArrayList<>();
    Set<MetricsKey> kept = new HashSet<>();
    try (KeyValueIterator<Slice, Bucket> all = buckets().all()) {
      while (all.hasNext()) {
        KeyValue<Slice, Bucket> bucket = all.next();
        long startMs = bucket.key.startMs();
        if (bucket.value == null || startMs <= leftMs || startMs > nowMs) {
          dropped.add(bucket.key);
        } else {
          kept.add(bucket.key.key());
        }
      }
    }
    dropped.forEach(buckets()::delete);
    return kept;
  }

  /** Removes old buckets, and rows that nothing was told about for the idle time. */
  private void sweep() {
    long nowMs = nowMs();
    dropBuckets(nowMs);
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
    publishedAtMs.values().removeIf(atMs -> Math.abs(nowMs - atMs) >= policy.publishIntervalMs());
  }

  private long nowMs() {
    return context().currentSystemTimeMs();
  }

  private ProcessorContext<MetricsKey, ProviderMetrics> context() {
    return Objects.requireNonNull(context, "not initialised");
  }

  private KeyValueStore<Slice, Bucket> buckets() {
    return Objects.requireNonNull(buckets, "not initialised");
  }

  private KeyValueStore<MetricsKey, ProviderMetrics> rows() {
    return Objects.requireNonNull(rows, "not initialised");
  }
}
