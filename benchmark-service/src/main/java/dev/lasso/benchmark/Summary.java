package dev.lasso.benchmark;

import dev.lasso.routing.Channel;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.schemas.MetricsKey;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Turns the buckets of a window into a row. One is reused for all rows of a task, which owns it.
 */
final class Summary {
  private static final int DIGITS = 3;
  private static final double MICROS_PER_MS = 1_000;

  private final BenchmarkPolicy policy;
  private final Histogram latencies = new Histogram(DIGITS);
  private @Nullable Channel channel;
  private long successes;
  private long failures;
  private long penalised;
  private long newestMs;

  Summary(BenchmarkPolicy policy) {
    this.policy = policy;
    latencies.setAutoResize(true);
  }

  /** Forgets all buckets. */
  void begin() {
    latencies.reset();
    channel = null;
    successes = 0;
    failures = 0;
    penalised = 0;
    newestMs = 0;
  }

  /** Takes in a bucket; the oldest first. */
  void add(Bucket bucket) {
    bucket.latencies().addTo(latencies);
    channel = bucket.channel();
    successes += bucket.successes();
    failures += bucket.failures();
    penalised += bucket.penalised();
    newestMs = Math.max(newestMs, bucket.newestMs());
  }

  /**
   * The row of the buckets taken in. Without a success in the window the latencies are those of the
   * last row: a provider that stopped answering must not look like one that answers in no time.
   *
   * @param last the row before, or null when there was none
   * @return null when there is nothing to tell: no bucket, or never a success
   */
  @Nullable ProviderMetrics row(MetricsKey key, @Nullable ProviderMetrics last) {
    Channel of = channel;
    boolean measured = latencies.getTotalCount() > 0;
    if (of == null || (!measured && last == null)) {
      return null;
    }
    long judged = successes + penalised;
    long calls = successes + failures;
    return new ProviderMetrics(
        key.region(),
        key.profile(),
        key.chain(),
        of,
        key.method(),
        newestMs,
        measured || last == null ? percentileMs(50) : last.p50Ms(),
        measured || last == null ? percentileMs(90) : last.p90Ms(),
        measured || last == null ? percentileMs(99) : last.p99Ms(),
        measured || last == null ? latencies.getMean() / MICROS_PER_MS : last.meanMs(),
        judged == 0 ? 1 : (double) successes / judged,
        calls,
        policy.confidence(calls));
  }

  private double percentileMs(double percentile) {
    return latencies.getValueAtPercentile(percentile) / MICROS_PER_MS;
  }
}
