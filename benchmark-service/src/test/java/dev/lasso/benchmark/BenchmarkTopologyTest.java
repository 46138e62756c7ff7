package dev.lasso.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.HdrHistogram.Histogram;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BenchmarkTopologyTest {
  private static final TopicCatalogue TOPICS = new TopicCatalogue(TopicSettings.defaults());
  private static final Region REGION = Region.of("eu");
  private static final ChainId CHAIN = ChainId.of(1);
  private static final Channel CHANNEL =
      new Channel(ProviderId.of("one"), InstanceId.of("node-0123456789ab"), Transport.HTTP);
  private static final long START_MS = 1_800_000_000_000L;

  private long nowMs = START_MS;
  private TopologyTestDriver driver = driver();
  private TestInputTopic<MetricsKey, LatencyDigest> digests = digests();
  private TestOutputTopic<MetricsKey, ProviderMetrics> metrics = metrics();

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void firstEvidenceIsPublishedAtOnce() {
    tell(digest("eth_call", latencies(10, 20, 30, 40), Map.of(ErrorClass.TIMEOUT, 1L)));

    ProviderMetrics row = onlyRow();
    assertThat(row.channel()).isEqualTo(CHANNEL);
    assertThat(row.method()).isEqualTo("eth_call");
    assertThat(row.p50Ms()).isCloseTo(20, within(0.3));
    assertThat(row.p99Ms()).isCloseTo(40, within(0.6));
    assertThat(row.meanMs()).isCloseTo(25, within(0.3));
    assertThat(row.successRate()).isCloseTo(0.8, within(1e-9));
    assertThat(row.calls()).isEqualTo(5);
    assertThat(row.confidence()).isCloseTo(5.0 / 15, within(1e-9));
    assertThat(row.updatedAtMs()).isEqualTo(nowMs);
  }

  @Test
  void digestsOfSeveralProcessesMerge() {
    tell(digest("a", "eth_call", latencies(10, 10, 10)));
    tell(digest("b", "eth_call", latencies(100)));
    pass(Duration.ofSeconds(1));

    ProviderMetrics row = metrics.readKeyValuesToList().getLast().value;
    assertThat(row.calls()).isEqualTo(4);
    assertThat(row.p50Ms()).isCloseTo(10, within(0.1));
    assertThat(row.p99Ms()).isCloseTo(100, within(1.0));
  }

  @Test
  void rowIsPublishedAtMostOnceAnInterval() {
    for (int i = 0; i < 20; i++) {
      tell(digest("eth_call", latencies(10), Map.of()));
      pass(Duration.ofMillis(100));
    }
    pass(Duration.ofSeconds(1));

    List<KeyValue<MetricsKey, ProviderMetrics>> rows = metrics.readKeyValuesToList();
    assertThat(rows).hasSizeBetween(3, 4);
    assertThat(rows.getLast().value.calls()).isEqualTo(20);
  }

  @Test
  void duplicateDigestCountsOnce() {
    LatencyDigest digest = digest("eth_call", latencies(10, 20), Map.of());
    tell(digest);
    tell(digest);
    pass(Duration.ofSeconds(2));

    assertThat(onlyRow().calls()).isEqualTo(2);
  }

  @Test
  void lateDigestCountsWhileItsTimeIsInTheWindow() {
    LatencyDigest late = digest("late", "eth_call", latencies(50));
    pass(Duration.ofMinutes(5));
    tell(digest("eth_call", latencies(10), Map.of()));
    tell(late);
    pass(Duration.ofSeconds(2));
    assertThat(metrics.readKeyValuesToList().getLast().value.calls()).isEqualTo(2);

    LatencyDigest tooLate = digest("slow", "eth_call", latencies(50));
    pass(Duration.ofMinutes(10));
    tell(tooLate);
    pass(Duration.ofSeconds(2));
    assertThat(metrics.isEmpty()).isTrue();
  }

  @Test
  void digestFromAClockAheadCountsFromNow() {
    LatencyDigest ahead =
        digest("p", "eth_call", latencies(10), Map.of(), nowMs + 86_400_000, CHANNEL, REGION);
    tell(ahead);

    assertThat(onlyRow().updatedAtMs()).isEqualTo(nowMs);
    pass(Duration.ofMinutes(1));
    tell(digest("q", "eth_call", latencies(20)));
    assertThat(onlyRow().calls()).isEqualTo(2);
  }

  @Test
  void evidenceLeavesTheWindow() {
    tell(digest("eth_call", latencies(500), Map.of()));
    pass(Duration.ofMinutes(11));
    tell(digest("eth_call", latencies(10), Map.of()));

    ProviderMetrics row = metrics.readKeyValuesToList().getLast().value;
    assertThat(row.calls()).isEqualTo(1);
    assertThat(row.p99Ms()).isCloseTo(10, within(0.1));
  }

  @Test
  void providerThatStoppedAnsweringKeepsItsLatencyAndLosesItsRate() {
    tell(digest("eth_call", latencies(80), Map.of()));
    pass(Duration.ofMinutes(11));
    tell(digest("eth_call", new Histogram(2), Map.of(ErrorClass.TIMEOUT, 3L)));

    ProviderMetrics row = metrics.readKeyValuesToList().getLast().value;
    assertThat(row.p50Ms()).isCloseTo(80, within(1.0));
    assertThat(row.successRate()).isZero();
    assertThat(row.calls()).isEqualTo(3);
  }

  @Test
  void providerThatNeverAnsweredHasNoRow() {
    tell(digest("eth_call", new Histogram(2), Map.of(ErrorClass.EXECUTION_REVERTED, 3L)));
    pass(Duration.ofSeconds(5));

    assertThat(metrics.isEmpty()).isTrue();
  }

  @Test
  void errorsThatAreNobodysFaultDoNotLowerTheRate() {
    tell(digest("eth_call", latencies(10), Map.of(ErrorClass.EXECUTION_REVERTED, 3L)));

    ProviderMetrics row = onlyRow();
    assertThat(row.successRate()).isEqualTo(1);
    assertThat(row.calls()).isEqualTo(4);
  }

  @Test
  void idleRowIsRemovedByATombstone() {
    tell(digest("eth_call", latencies(10), Map.of()));
    MetricsKey key = metrics.readKeyValue().key;

    pass(Duration.ofMinutes(59));
    assertThat(metrics.isEmpty()).isTrue();
    pass(Duration.ofMinutes(2));

    assertThat(metrics.readKeyValuesToList()).containsExactly(new KeyValue<>(key, null));
    pass(Duration.ofHours(2));
    assertThat(metrics.isEmpty()).isTrue();
  }

  @Test
  void madeUpMethodsShareOneRowBeyondTheLimit() {
    for (int i = 0; i < 50; i++) {
      tell(digest("p" + i, "made_up_" + i, latencies(10)));
    }
    tell(digest("eth_call", latencies(10), Map.of()));
    pass(Duration.ofSeconds(2));

    Map<String, ProviderMetrics> byMethod = new HashMap<>();
    metrics.readValuesToList().forEach(row -> byMethod.put(row.method(), row));
    assertThat(byMethod)
        .hasSize(BenchmarkPolicy.DEFAULT.maxUnlistedMethods() + 2)
        .containsKeys("eth_call", MethodLimit.OTHER);
    assertThat(byMethod.get(MethodLimit.OTHER))
        .isNotNull()
        .satisfies(row -> assertThat(row.calls()).isEqualTo(30));
  }

  @Test
  void otherRegionsAndTombstonesArePassedOver() {
    LatencyDigest elsewhere =
        digest("p", "eth_call", latencies(1), Map.of(), nowMs, CHANNEL, Region.of("us"));
    tell(elsewhere);
    digests.pipeInput(MetricsKey.of(elsewhere), null);

    assertThat(metrics.isEmpty()).isTrue();
  }

  @Test
  void restartGoesOnWithTheStores() {
    tell(digest("a", "eth_call", latencies(10)));
    tell(digest("b", "eth_call", latencies(20)));
    LatencyDigest seen = digest("c", "eth_call", latencies(30));
    tell(seen);
    restart();

    tell(seen);
    tell(digest("d", "eth_call", latencies(40)));

    assertThat(onlyRow().calls()).isEqualTo(4);
  }

  @Test
  void bucketsThatAClockAheadLeftMakeNoneOfNowExpireAndNeverCount() {
    pass(Duration.ofHours(1));
    tell(digest("a", "eth_call", latencies(500)));
    tell(digest("b", "eth_call", latencies(500)));
    nowMs -= Duration.ofHours(1).toMillis();
    restart();

    tell(digest("a", "eth_call", latencies(10)));
    ProviderMetrics row = onlyRow();
    assertThat(row.calls()).isEqualTo(1);
    assertThat(row.updatedAtMs()).isEqualTo(nowMs);
    pass(Duration.ofMinutes(1));
    assertThat(starts()).hasSize(1).allMatch(start -> start <= nowMs - 60_000);
    pass(Duration.ofHours(1));
    tell(digest("a", "eth_call", latencies(20)));

    assertThat(metrics.readValuesToList().getLast().calls()).isEqualTo(1);
  }

  @Test
  void oldBucketsAreDropped() {
    for (int i = 0; i < 30; i++) {
      tell(digest("eth_call", latencies(10), Map.of()));
      pass(Duration.ofMinutes(1));
    }

    assertThat(starts()).hasSizeBetween(10, 12);
  }

  @Test
  void bucketsOfAnotherKeyAreNotCounted() {
    tell(digest("eth_call", latencies(10), Map.of()));
    metrics.readValuesToList();

    tell(digest("eth_callMany", latencies(20), Map.of()));
    tell(digest("eth_cal", latencies(30), Map.of()));

    assertThat(metrics.readValuesToList())
        .extracting(ProviderMetrics::calls)
        .containsExactly(1L, 1L);
  }

  @Test
  void topologyIsTheOneThatRunningFleetsHave() throws IOException {
    String described =
        BenchmarkTopology.build(TOPICS, REGION, BenchmarkPolicy.DEFAULT, new HashSet<>())
            .describe()
            .toString();

    try (InputStream golden = getClass().getResourceAsStream("/topology.txt")) {
      assertThat(golden).isNotNull();
      assertThat(described).isEqualTo(new String(golden.readAllBytes(), UTF_8));
    }
  }

  /** A new instance that reads the stores of the old one, as from the changelogs. */
  private void restart() {
    Map<MetricsKey, ProviderMetrics> rows = new HashMap<>();
    KeyValueStore<MetricsKey, ProviderMetrics> old = driver.getKeyValueStore(MetricsFold.ROWS);
    try (KeyValueIterator<MetricsKey, ProviderMetrics> all = old.all()) {
      all.forEachRemaining(row -> rows.put(row.key, row.value));
    }
    Map<Slice, Bucket> buckets = new HashMap<>();
    try (KeyValueIterator<Slice, Bucket> all = buckets().all()) {
      all.forEachRemaining(each -> buckets.put(each.key, each.value));
    }
    driver.close();
    driver = driver();
    digests = digests();
    metrics = metrics();
    KeyValueStore<MetricsKey, ProviderMetrics> fresh = driver.getKeyValueStore(MetricsFold.ROWS);
    rows.forEach(fresh::put);
    buckets.forEach(buckets()::put);
  }

  private KeyValueStore<Slice, Bucket> buckets() {
    return driver.getKeyValueStore(MetricsFold.BUCKETS);
  }

  private List<Long> starts() {
    List<Long> starts = new ArrayList<>();
    try (KeyValueIterator<Slice, Bucket> all = buckets().all()) {
      all.forEachRemaining(each -> starts.add(each.key.startMs()));
    }
    return starts;
  }

  private ProviderMetrics onlyRow() {
    List<KeyValue<MetricsKey, ProviderMetrics>> rows = metrics.readKeyValuesToList();
    assertThat(rows).hasSize(1);
    assertThat(rows.getFirst().key).isEqualTo(MetricsKey.of(rows.getFirst().value));
    return rows.getFirst().value;
  }

  private void tell(LatencyDigest digest) {
    digests.pipeInput(MetricsKey.of(digest), digest, Instant.ofEpochMilli(nowMs));
  }

  private void pass(Duration time) {
    nowMs += time.toMillis();
    driver.advanceWallClockTime(time);
  }

  private LatencyDigest digest(String process, String method, Histogram latencies) {
    return digest(process, method, latencies, Map.of(), nowMs, CHANNEL, REGION);
  }

  private LatencyDigest digest(String method, Histogram latencies, Map<ErrorClass, Long> failures) {
    return digest("gateway-1", method, latencies, failures, nowMs, CHANNEL, REGION);
  }

  private static LatencyDigest digest(
      String process,
      String method,
      Histogram latencies,
      Map<ErrorClass, Long> failures,
      long toMs,
      Channel channel,
      Region region) {
    return new LatencyDigest(
        region,
        process,
        ProfileSlug.of("default"),
        CHAIN,
        channel,
        method,
        toMs - 2_000,
        toMs,
        encoded(latencies),
        latencies.getTotalCount(),
        failures);
  }

  private static Histogram latencies(long... ms) {
    Histogram histogram = new Histogram(2);
    for (long each : ms) {
      histogram.recordValue(each * 1_000);
    }
    return histogram;
  }

  private static Bytes encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    histogram.encodeIntoCompressedByteBuffer(buffer);
    buffer.flip();
    return Bytes.copyOf(buffer);
  }

  private TopologyTestDriver driver() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "benchmark-test");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    return new TopologyTestDriver(
        BenchmarkTopology.build(TOPICS, REGION, BenchmarkPolicy.DEFAULT, new HashSet<>()),
        properties,
        Instant.ofEpochMilli(nowMs));
  }

  private TestInputTopic<MetricsKey, LatencyDigest> digests() {
    return driver.createInputTopic(
        TOPICS.latencyDigests().name(),
        TOPICS.latencyDigests().keySerde().serializer(),
        TOPICS.latencyDigests().valueSerde().serializer());
  }

  private TestOutputTopic<MetricsKey, ProviderMetrics> metrics() {
    return driver.createOutputTopic(
        TOPICS.providerMetrics().name(),
        TOPICS.providerMetrics().keySerde().deserializer(),
        TOPICS.providerMetrics().valueSerde().deserializer());
  }
}
