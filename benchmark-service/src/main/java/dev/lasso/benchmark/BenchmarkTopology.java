package dev.lasso.benchmark;

import dev.lasso.routing.Region;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Branched;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.Stores;

/**
 * latency-digests → provider-metrics, keys unchanged. Digests of methods beyond the limit get the
 * key of the method {@code other} and pass through a repartition topic, so that what all partitions
 * have beyond their limits meets in one row.
 *
 * <p>The stores are in memory with changelogs: rows are bounded, the window is short, and no file
 * can be damaged or locked.
 */
final class BenchmarkTopology {
  private BenchmarkTopology() {}

  /**
   * Builds the topology.
   *
   * @param region whose digests are folded; records of other regions are passed over
   * @param partitions is kept at the partitions that this process folds; thread-safe
   */
  static Topology build(
      TopicCatalogue topics, Region region, BenchmarkPolicy policy, Set<Integer> partitions) {
    Topic<MetricsKey, LatencyDigest> digests = topics.latencyDigests();
    Serde<MetricsKey> keys = digests.keySerde();
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(MetricsFold.BUCKETS),
            Slice.serde(keys),
            BucketSerde.create()));
    builder.addStateStore(
        Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(MetricsFold.ROWS),
            keys,
            topics.providerMetrics().valueSerde()));
    Map<String, KStream<MetricsKey, LatencyDigest>> limited =
        builder.stream(
                digests.name(), Consumed.with(keys, digests.valueSerde()).withName("digests"))
            .filter(
                (key, digest) -> key != null && digest != null && key.region().equals(region),
                Named.as("of-the-region"))
            .process(() -> new MethodLimit(policy), Named.as("method-limit"), MetricsFold.ROWS)
            .split(Named.as("method-"))
            .branch((key, _) -> key.method().equals(MethodLimit.OTHER), Branched.as("other"))
            .defaultBranch(Branched.as("own"));
    KStream<MetricsKey, LatencyDigest> other =
        stream(limited, "method-other")
            .repartition(
                Repartitioned.with(keys, digests.valueSerde())
                    .withName("other-methods")
                    .withNumberOfPartitions(digests.spec().partitions()));
    stream(limited, "method-own")
        .merge(other, Named.as("all-methods"))
        .process(
            () -> new MetricsFold(policy, partitions),
            Named.as("fold"),
            MetricsFold.BUCKETS,
            MetricsFold.ROWS)
        .to(
            topics.providerMetrics().name(),
            Produced.with(keys, topics.providerMetrics().valueSerde()).withName("publish"));
    return builder.build();
  }

  private static KStream<MetricsKey, LatencyDigest> stream(
      Map<String, KStream<MetricsKey, LatencyDigest>> branches, String name) {
    KStream<MetricsKey, LatencyDigest> branch = branches.get(name);
    if (branch == null) {
      throw new IllegalStateException("no branch is named " + name);
    }
    return branch;
  }
}
