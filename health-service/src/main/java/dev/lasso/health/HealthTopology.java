package dev.lasso.health;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.Stores;

/**
 * probes + attempts + latency-digests → instance-health. Probes and attempts have the endpoint as
 * their key; digests have finer keys and pass through a repartition topic without their histograms.
 * All three must have the same number of partitions, so that what belongs to one endpoint meets in
 * one task.
 *
 * <p>The store is in memory with a changelog: endpoints are few, and no file can be damaged or
 * locked.
 */
final class HealthTopology {
  private HealthTopology() {}

  /**
   * Builds the topology.
   *
   * @param region whose endpoints are folded; records of other regions are passed over
   * @param random makes a generator for each task
   * @param share is told what this process takes care of
   * @param refreshMs how old what was last published of an endpoint may become
   */
  static Topology build(
      TopicCatalogue topics,
      Region region,
      HealthPolicy policy,
      Supplier<RandomGenerator> random,
      Share share,
      long refreshMs) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(HealthProcessor.STORE),
            topics.probes().keySerde(),
            HealthStateSerde.create()));
    KStream<EndpointKey, HealthInput> probes =
        source(builder, topics.probes()).mapValues(HealthInput.Probed::new, Named.as("as-probed"));
    KStream<EndpointKey, HealthInput> attempts =
        source(builder, topics.attempts())
            .mapValues(HealthInput.Attempted::new, Named.as("as-attempted"));
    KStream<EndpointKey, HealthInput> digests =
        digests(builder, topics).mapValues(HealthInput.Counted::new, Named.as("as-counted"));
    probes
        .merge(attempts, Named.as("with-attempts"))
        .merge(digests, Named.as("with-digests"))
        .process(
            () -> new HealthProcessor(region, policy, random.get(), share, refreshMs),
            Named.as("fold"),
            HealthProcessor.STORE)
        .to(
            topics.instanceHealth().name(),
            Produced.with(topics.instanceHealth().keySerde(), topics.instanceHealth().valueSerde())
                .withName("publish"));
    return builder.build();
  }

  private static <K, V> KStream<K, V> source(StreamsBuilder builder, Topic<K, V> topic) {
    String word = topic.id().word();
    return builder.stream(
            topic.name(), Consumed.with(topic.keySerde(), topic.valueSerde()).withName(word))
        .filter((key, value) -> key != null && value != null, Named.as("real-" + word));
  }

  private static KStream<EndpointKey, LatencyDigest> digests(
      StreamsBuilder builder, TopicCatalogue topics) {
    KStream<MetricsKey, LatencyDigest> digests = source(builder, topics.latencyDigests());
    return digests
        .selectKey(
            (_, digest) -> new EndpointKey(digest.region(), digest.channel().endpoint()),
            Named.as("by-endpoint"))
        .mapValues(HealthTopology::withoutHistogram, Named.as("counts-only"))
        .repartition(
            Repartitioned.with(topics.probes().keySerde(), topics.latencyDigests().valueSerde())
                .withName("digests-by-endpoint")
                .withNumberOfPartitions(topics.probes().spec().partitions()));
  }

  private static LatencyDigest withoutHistogram(LatencyDigest digest) {
    return new LatencyDigest(
        digest.region(),
        digest.process(),
        digest.profile(),
        digest.chain(),
        digest.channel(),
        digest.method(),
        digest.fromMs(),
        digest.toMs(),
        Bytes.EMPTY,
        digest.successes(),
        digest.failures());
  }
}
