package dev.lasso.blocksync;

import dev.lasso.engine.process.PartitionShare;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Region;
import dev.lasso.schemas.TopicCatalogue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;

/**
 * upstream-heads → chain-state. The store is in memory with a changelog: chains are few, and no
 * file can be damaged or locked.
 */
final class HeadTopology {
  private HeadTopology() {}

  /**
   * Builds the topology.
   *
   * @param region whose sightings are folded; those of other regions are passed over
   * @param policy the numbers
   * @param expected block times until enough are measured
   * @param share is told which partitions this process takes care of
   */
  static Topology build(
      TopicCatalogue topics,
      Region region,
      FoldPolicy policy,
      ExpectedBlockTimes expected,
      PartitionShare<ChainId> share) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(HeadProcessor.STORE),
            topics.chainState().keySerde(),
            HeadStateSerde.create()));
    builder.stream(
            topics.upstreamHeads().name(),
            Consumed.with(topics.upstreamHeads().keySerde(), topics.upstreamHeads().valueSerde())
                .withName(topics.upstreamHeads().id().word()))
        .filter(
            (chain, sighting) -> sighting != null && sighting.chain().equals(chain),
            Named.as("real-sightings"))
        .process(
            () -> new HeadProcessor(region, policy, expected, share),
            Named.as("fold"),
            HeadProcessor.STORE)
        .to(
            topics.chainState().name(),
            Produced.with(topics.chainState().keySerde(), topics.chainState().valueSerde())
                .withName("publish"));
    return builder.build();
  }
}
