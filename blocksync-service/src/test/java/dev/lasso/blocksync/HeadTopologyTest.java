package dev.lasso.blocksync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.process.PartitionShare;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.HeadSighting.Source;
import dev.lasso.routing.heads.ChainHeads;
import dev.lasso.runtime.kafka.DeadLetteringHandler;
import dev.lasso.schemas.ChainStateKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.LogCapture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

class HeadTopologyTest {
  private static final Region REGION = Region.of("eu");
  private static final ChainId CHAIN = ChainId.of(1);
  private static final ChainStateKey KEY = new ChainStateKey(REGION, CHAIN);
  private static final InstanceId A = InstanceId.of("a-0123456789ab");
  private static final InstanceId B = InstanceId.of("b-0123456789ab");
  private static final InstanceId C = InstanceId.of("c-0123456789ab");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long HOUR_MS = 3_600_000;
  private static final double BLOCK_TIME_MS = 2_000;

  @RegisterExtension private final LogCapture log = LogCapture.of(HeadLog.class);

  private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
  private final PartitionShare<ChainId> share =
      new PartitionShare<>(
          topics.upstreamHeads().keys(), topics.upstreamHeads().spec().partitions());
  private TopologyTestDriver driver = driver();
  private long nowMs = START.toEpochMilli();
  private TestInputTopic<ChainId, HeadSighting> heads = input();
  private TestOutputTopic<ChainStateKey, ChainState> published = output();

  @BeforeEach
  void start() {
    driver.close();
    driver = driver();
    nowMs = START.toEpochMilli();
    heads = input();
    published = output();
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void publishesAHigherHeadWithTheRecordThatBroughtIt() {
    see(A, 100);
    assertThat(latest().consensusHeight()).isEqualTo(100);

    pass(2_000);
    see(A, 101);

    ChainState state = latest();
    assertThat(state.consensusHeight()).isEqualTo(101);
    assertThat(state.consensusAtMs()).isEqualTo(nowMs);
    assertThat(state.region()).isEqualTo(REGION);
    assertThat(state.chain()).isEqualTo(CHAIN);
  }

  @Test
  void aStoppedProviderDoesNotHoldTheChainBack() {
    see(A, 100);
    see(B, 100);
    for (long height = 101; height <= 120; height++) {
      pass(2_000);
      see(A, height);
      see(B, 100);
    }

    ChainState state = latest();
    assertThat(state.consensusHeight()).isEqualTo(120);
    assertThat(heightOf(state, B)).isEqualTo(100);
  }

  @Test
  void oneLiarAmongThreeRaisesNothingAndIsNamed() {
    List.of(A, B, C).forEach(instance -> see(instance, 100));
    pass(2_000);
    see(C, 1_000_000);
    see(A, 101);
    see(B, 101);

    ChainState state = latest();
    assertThat(state.consensusHeight()).isEqualTo(101);
    assertThat(state.heights())
        .filteredOn(ChainState.InstanceHeight::quarantined)
        .extracting(ChainState.InstanceHeight::instance)
        .containsExactly(C);
    assertThat(log.messages(Level.WARN))
        .singleElement()
        .asString()
        .contains("implausible height kept out of the consensus")
        .contains("instance=" + C);
  }

  @Test
  void aReorgReportedByMostIsFollowed() {
    List.of(A, B, C).forEach(instance -> see(instance, 100));
    pass(2_000);
    List.of(A, B, C).forEach(instance -> see(instance, 90));
    pass(2_000);
    List.of(A, B, C).forEach(instance -> see(instance, 91));

    assertThat(latest().consensusHeight()).isEqualTo(91);
    assertThat(log.messages(Level.WARN)).anyMatch(line -> line.contains("consensus height fell"));
  }

  @Test
  void lateAndRepeatedSightingsChangeNothing() {
    HeadSighting old = sighting(A, 100);
    pass(2_000);
    HeadSighting current = sighting(A, 101);
    heads.pipeInput(CHAIN, current);
    published.readValuesToList();

    heads.pipeInput(CHAIN, old);
    heads.pipeInput(CHAIN, current);

    assertThat(published.isEmpty()).isTrue();
  }

  @Test
  void tombstonesOtherRegionsAndMisplacedRecordsAreSkipped() {
    heads.pipeInput(CHAIN, null);
    heads.pipeInput(ChainId.of(2), sighting(A, 100));
    heads.pipeInput(CHAIN, inRegion(sighting(A, 100), Region.of("us")));

    assertThat(published.isEmpty()).isTrue();
  }

  @Test
  void unreadableRecordsAreSkipped() {
    TestInputTopic<byte[], byte[]> raw =
        driver.createInputTopic(
            topics.upstreamHeads().name(), new ByteArraySerializer(), new ByteArraySerializer());
    raw.pipeInput(topics.upstreamHeads().keys().toBytes(CHAIN), new byte[] {1, 2, 3});
    raw.pipeInput("no chain".getBytes(StandardCharsets.UTF_8), new byte[0]);
    see(A, 100);

    assertThat(latest().consensusHeight()).isEqualTo(100);
  }

  @Test
  void heightsSeenAgainAreToldAfterTwoSeconds() {
    see(A, 100);
    published.readValuesToList();
    pass(500);
    see(A, 100);
    assertThat(published.isEmpty()).isTrue();

    pass(1_500);

    assertThat(latest().heights().getFirst().seenAtMs()).isEqualTo(nowMs - 1_500);
  }

  @Test
  void aSilentChainIsStillToldOfEveryFiveSeconds() {
    see(A, 100);
    published.readValuesToList();

    for (int i = 0; i < 20; i++) {
      pass(500);
    }

    assertThat(published.readValuesToList())
        .extracting(ChainState::consensusHeight)
        .containsExactly(100L, 100L);
  }

  @Test
  void saysOnceThatAHeadStalledAndOnceThatItMovesAgain() {
    see(A, 100);
    for (int i = 0; i < 60; i++) {
      pass(1_000);
      see(A, 100);
    }
    assertThat(log.messages(Level.WARN))
        .singleElement()
        .asString()
        .contains("head stalled")
        .contains("chain=1")
        .contains("height=100");

    see(A, 101);
    pass(1_000);

    assertThat(log.messages(Level.INFO)).singleElement().asString().contains("head moves again");
  }

  @Test
  void aChainNobodySeesIsForgottenWithATombstone() {
    see(A, 100);

    pass(600_000);

    assertThat(published.readKeyValuesToList()).contains(KeyValue.pair(KEY, null));
    assertThat(store().get(KEY)).isNull();
  }

  @Test
  void finalityIsTakenOver() {
    HeadSighting head = sighting(A, 100);
    heads.pipeInput(CHAIN, withFinality(head, 90L, 80L));

    ChainState state = latest();
    assertThat(state.safe()).isEqualTo(90);
    assertThat(state.finalized()).isEqualTo(80);
  }

  @Test
  void goesOnAfterARestartWithWhatItsStoreHolds() {
    see(A, 100);
    for (long height = 101; height <= 110; height++) {
      pass(2_000);
      see(A, height);
    }
    ChainHeads saved = Objects.requireNonNull(store().get(KEY));
    MockProcessorContext<ChainStateKey, ChainState> context = new MockProcessorContext<>();
    context.setCurrentSystemTimeMs(nowMs + 1_000);

    processor(context, saved);
    context.scheduledPunctuators().getFirst().getPunctuator().punctuate(nowMs + 1_000);

    assertThat(context.forwarded())
        .singleElement()
        .satisfies(
            forward -> {
              ChainState state = forward.record().value();
              assertThat(state.consensusHeight()).isEqualTo(110);
              assertThat(state.blockTimeMs()).isEqualTo(2_000);
              assertThat(state.atMs()).isEqualTo(nowMs + 1_000);
            });
  }

  @Test
  void aHeadMovesThoughTheProcessThatFoldedTheChainBeforeHadAClockAhead() {
    pass(HOUR_MS);
    see(A, 100);
    ChainHeads saved = Objects.requireNonNull(store().get(KEY));
    nowMs -= HOUR_MS;
    MockProcessorContext<ChainStateKey, ChainState> context = new MockProcessorContext<>();
    context.setCurrentSystemTimeMs(nowMs);
    HeadProcessor processor = processor(context, saved);

    processor.process(new Record<>(CHAIN, sighting(A, 101), nowMs));

    assertThat(lastForwarded(context).consensusHeight()).isEqualTo(101);
    assertThat(lastForwarded(context).heights().getFirst().seenAtMs()).isEqualTo(nowMs);
  }

  @Test
  void aHeadMovesThoughTheProcessesTimeWentBack() {
    MockProcessorContext<ChainStateKey, ChainState> context = new MockProcessorContext<>();
    pass(HOUR_MS);
    context.setCurrentSystemTimeMs(nowMs);
    HeadProcessor processor = processor(context, null);
    processor.process(new Record<>(CHAIN, sighting(A, 100), nowMs));

    nowMs -= HOUR_MS;
    context.setCurrentSystemTimeMs(nowMs);
    processor.process(new Record<>(CHAIN, sighting(A, 101), nowMs));

    assertThat(lastForwarded(context).consensusHeight()).isEqualTo(101);
    assertThat(lastForwarded(context).consensusAtMs()).isEqualTo(nowMs);
  }

  @Test
  void whatAClockAheadPublishedIsToldAnew() {
    ChainState ahead =
        new ChainState(REGION, CHAIN, nowMs + HOUR_MS, 100L, 5, null, null, 2_000.0, List.of());
    ChainState now = new ChainState(REGION, CHAIN, nowMs, 100L, 5, null, null, 2_000.0, List.of());

    assertThat(Publication.due(ahead, now)).isTrue();
    assertThat(Publication.due(now, now)).isFalse();
  }

  private HeadProcessor processor(
      MockProcessorContext<ChainStateKey, ChainState> context, @Nullable ChainHeads stored) {
    KeyValueStore<ChainStateKey, ChainHeads> restored =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(HeadProcessor.STORE),
                topics.chainState().keySerde(),
                HeadStateSerde.create())
            .withLoggingDisabled()
            .build();
    restored.init(context.getStateStoreContext(), restored);
    if (stored != null) {
      restored.put(KEY, stored);
    }
    HeadProcessor processor =
        new HeadProcessor(REGION, FoldPolicy.DEFAULT, _ -> BLOCK_TIME_MS, share);
    processor.init(context);
    return processor;
  }

  private static ChainState lastForwarded(MockProcessorContext<ChainStateKey, ChainState> context) {
    return context.forwarded().getLast().record().value();
  }

  @Test
  void holdsItsPartitionsWhileItRuns() {
    assertThat(share.assigned()).containsExactly(0);

    driver.close();

    assertThat(share.assigned()).isEmpty();
    driver = driver();
  }

  @Test
  void isShapedAsDescribed() throws IOException {
    try (InputStream golden =
        Objects.requireNonNull(getClass().getResourceAsStream("/head-topology.txt"))) {
      assertThat(topology().describe().toString())
          .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private Topology topology() {
    return HeadTopology.build(topics, REGION, FoldPolicy.DEFAULT, _ -> BLOCK_TIME_MS, share);
  }

  private TopologyTestDriver driver() {
    Properties properties = new Properties();
    properties.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, DeadLetteringHandler.class);
    return new TopologyTestDriver(topology(), properties, START);
  }

  private TestInputTopic<ChainId, HeadSighting> input() {
    Topic<ChainId, HeadSighting> topic = topics.upstreamHeads();
    return driver.createInputTopic(
        topic.name(), topic.keySerde().serializer(), topic.valueSerde().serializer());
  }

  private TestOutputTopic<ChainStateKey, ChainState> output() {
    Topic<ChainStateKey, ChainState> topic = topics.chainState();
    return driver.createOutputTopic(
        topic.name(), topic.keySerde().deserializer(), topic.valueSerde().deserializer());
  }

  private KeyValueStore<ChainStateKey, ChainHeads> store() {
    return driver.getKeyValueStore(HeadProcessor.STORE);
  }

  private ChainState latest() {
    List<ChainState> all = published.readValuesToList();
    assertThat(all).as("something was published").isNotEmpty();
    return all.getLast();
  }

  private static long heightOf(ChainState state, InstanceId instance) {
    return state.heights().stream()
        .filter(height -> height.instance().equals(instance))
        .findFirst()
        .orElseThrow()
        .height();
  }

  private void pass(long ms) {
    nowMs += ms;
    driver.advanceWallClockTime(Duration.ofMillis(ms));
  }

  private void see(InstanceId instance, long number) {
    heads.pipeInput(CHAIN, sighting(instance, number));
  }

  private HeadSighting sighting(InstanceId instance, long number) {
    return new HeadSighting(
        REGION,
        "p",
        CHAIN,
        instance,
        number,
        null,
        null,
        null,
        Source.HTTP_POLL,
        nowMs,
        5,
        false,
        null,
        null);
  }

  private static HeadSighting inRegion(HeadSighting seen, Region region) {
    return new HeadSighting(
        region,
        seen.process(),
        seen.chain(),
        seen.instance(),
        seen.number(),
        null,
        null,
        null,
        seen.source(),
        seen.seenAtMs(),
        seen.latencyMs(),
        false,
        null,
        null);
  }

  private static HeadSighting withFinality(HeadSighting seen, Long safe, Long finalized) {
    return new HeadSighting(
        seen.region(),
        seen.process(),
        seen.chain(),
        seen.instance(),
        seen.number(),
        null,
        null,
        null,
        seen.source(),
        seen.seenAtMs(),
        seen.latencyMs(),
        false,
        safe,
        finalized);
  }
}
