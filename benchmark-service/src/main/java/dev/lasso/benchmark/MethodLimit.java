package dev.lasso.benchmark;

import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.facts.MethodTable;
import dev.lasso.schemas.MetricsKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Keeps the number of rows bounded though callers make up method names: every method of the method
 * table passes, and for each channel so many others as the policy allows; digests of further ones
 * go on under the method {@code other}. A method that nothing is told about for the idle time gives
 * its place away.
 *
 * <p>The Streams task owns it.
 */
final class MethodLimit
    extends ContextualProcessor<MetricsKey, LatencyDigest, MetricsKey, LatencyDigest> {
  /** The method under which all beyond the limit are counted. */
  static final String OTHER = "other";

  private static final Duration SWEEP = Duration.ofMinutes(1);

  private final BenchmarkPolicy policy;

  /**
   * By channel, that is a key with the method {@code other}: its methods and when they were seen.
   */
  private final Map<MetricsKey, Map<String, Long>> unlisted = new HashMap<>();

  MethodLimit(BenchmarkPolicy policy) {
    this.policy = policy;
  }

  @Override
  public void init(ProcessorContext<MetricsKey, LatencyDigest> context) {
    super.init(context);
    unlisted.clear();
    KeyValueStore<MetricsKey, ProviderMetrics> rows = context.getStateStore(MetricsFold.ROWS);
    try (KeyValueIterator<MetricsKey, ProviderMetrics> all = rows.all()) {
      all.forEachRemaining(row -> passes(row.key, row.value.updatedAtMs()));
    }
    context.schedule(SWEEP, PunctuationType.WALL_CLOCK_TIME, _ -> sweep());
  }

  @Override
  public void process(Record<MetricsKey, LatencyDigest> digest) {
    MetricsKey key = digest.key();
    context()
        .forward(
            passes(key, context().currentSystemTimeMs())
                ? digest
                : digest.withKey(key.withMethod(OTHER)));
  }

  private boolean passes(MetricsKey key, long nowMs) {
    String method = key.method();
    if (method.equals(OTHER) || MethodTable.lookup(method) != null) {
      return true;
    }
    Map<String, Long> methods =
        unlisted.computeIfAbsent(key.withMethod(OTHER), _ -> new HashMap<>());
    if (!methods.containsKey(method) && methods.size() >= policy.maxUnlistedMethods()) {
      return false;
    }
    methods.merge(method, nowMs, Math::max);
    return true;
  }

  private void sweep() {
    long nowMs = context().currentSystemTimeMs();
    long forgottenMs = nowMs - policy.idle().toMillis();
    for (Map<String, Long> methods : unlisted.values()) {
      methods.values().removeIf(seen -> seen <= forgottenMs);
      // the clock went back since, or the row is of one that was ahead
      methods.replaceAll((_, seen) -> Math.min(seen, nowMs));
    }
    unlisted.values().removeIf(Map::isEmpty);
  }
}
