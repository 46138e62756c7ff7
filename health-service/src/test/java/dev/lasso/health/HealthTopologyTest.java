package dev.lasso.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.AttemptOutcome.Success;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.health.EndpointHealth;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SplittableRandom;
import org.apache.kafka.streams.KeyValue;
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

class HealthTopologyTest {
  private static final Region REGION = Region.of("eu");
  private static final ChainId CHAIN = ChainId.of(1);
  private static final InstanceId INSTANCE = InstanceId.of("node-0123456789ab");
  private static final Endpoint ENDPOINT = new Endpoint(INSTANCE, Transport.HTTP);
  private static final EndpointKey KEY = new EndpointKey(REGION, ENDPOINT);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final long REFRESH_MS = 300_000;

  private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
  private final Share share =
      new Share(topics.probes().keys(), topics.probes().spec().partitions());
  private TopologyTestDriver driver = driver();
  private long nowMs = START.toEpochMilli();
  private TestInputTopic<EndpointKey, ProbeResult> probes = input(topics.probes());
  private TestInputTopic<EndpointKey, Attempt> attempts = input(topics.attempts());
  private TestInputTopic<MetricsKey, LatencyDigest> digests = input(topics.latencyDigests());
  private TestOutputTopic<EndpointKey, InstanceHealth> published = output();

  @BeforeEach
  void start() {
    driver.close();
    open();
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void aFailingEndpointIsPublishedAsOpenWithTheFifthFailure() {
    for (int i = 0; i < 4; i++) {
      attempt(failure(ErrorClass.NETWORK_ERROR));
    }
    assertThat(published.readValuesToList())
        .extracting(InstanceHealth::circuit)
        .doesNotContain(CircuitStatus.OPEN);

    attempt(failure(ErrorClass.NETWORK_ERROR));

    InstanceHealth health = published.readValue();
    assertThat(health.circuit()).isEqualTo(CircuitStatus.OPEN);
    assertThat(health.status()).isEqualTo(HealthStatus.UNAVAILABLE);
    assertThat(health.atMs()).isEqualTo(nowMs);
  }

  @Test
  void theEndOfTheOpenPeriodIsPublishedThoughNothingIsTold() {
    failFiveTimes();
    InstanceHealth open = latest();

    pass(open.openUntilMs() - nowMs - 200);
    assertThat(published.isEmpty()).isTrue();
    pass(400);

    assertThat(latest().circuit()).isEqualTo(CircuitStatus.HALF_OPEN);
  }

  @Test
  void twoGoodProbesBringItBack() {
    failFiveTimes();
    pass(5_000);
    probe(new Success(), 1);
    assertThat(latest().circuit()).isEqualTo(CircuitStatus.HALF_OPEN);
    pass(1_000);
    probe(new Success(), 1);

    assertThat(latest().circuit()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void theEndOfARateLimitIsPublished() {
    attempt(new Failure(ErrorClass.RATE_LIMIT, null, 429, "", 3_000L));
    assertThat(latest().rateLimitedUntilMs()).isEqualTo(nowMs + 3_000);

    pass(3_000);

    assertThat(latest().rateLimitedUntilMs()).isZero();
  }

  @Test
  void digestsOfAllMethodsMeetAtTheEndpoint() {
    for (int i = 0; i < 4; i++) {
      digest("method_" + i, 3, 3);
    }

    assertThat(latest().circuit()).isEqualTo(CircuitStatus.OPEN);
  }

  @Test
  void countersAloneWaitForTheHeartbeat() {
    probe(new Success(), 1);
    published.readValuesToList();
    for (int i = 0; i < 100; i++) {
      attempt(new Success());
    }
    assertThat(published.isEmpty()).isTrue();

    pass(5_000);

    assertThat(latest().consecutiveSuccesses()).isEqualTo(101);
    pass(60_000);
    assertThat(published.isEmpty()).isTrue();
  }

  @Test
  void aProbeToldTwiceOrLateCountsOnce() {
    ProbeResult failed = probeResult(failure(ErrorClass.TIMEOUT), 1);
    probe(new Success(), 1);
    pass(1_000);
    ProbeResult again = probeResult(failure(ErrorClass.TIMEOUT), 1);
    for (int i = 0; i < 10; i++) {
      probes.pipeInput(KEY, again);
      probes.pipeInput(KEY, failed);
    }
    pass(5_000);

    assertThat(latest().consecutiveFailures()).isEqualTo(1);
  }

  @Test
  void failuresOfLongAgoOpenNothing() {
    Attempt old = attemptOf(failure(ErrorClass.NETWORK_ERROR));
    pass(60_000);
    for (int i = 0; i < 20; i++) {
      attempts.pipeInput(KEY, old);
    }

    assertThat(latest().circuit()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void tombstonesAndOtherRegionsAreSkipped() {
    probes.pipeInput(KEY, null);
    probes.pipeInput(new EndpointKey(Region.of("us"), ENDPOINT), probeResult(new Success(), 1));

    assertThat(published.isEmpty()).isTrue();
  }

  @Test
  void anEndpointThatIsProbedOnceAnHourIsToldOfAgainForThoseWhoReadOnlyTheYoung() {
    probe(new Success(), 1);
    published.readValuesToList();

    pass(REFRESH_MS - 1_000);
    assertThat(published.isEmpty()).isTrue();
    pass(1_000);
    assertThat(published.readRecord())
        .satisfies(
            record -> {
              assertThat(record.timestamp()).isEqualTo(nowMs);
              assertThat(record.value().circuit()).isEqualTo(CircuitStatus.CLOSED);
            });
    pass(3_600_000 - REFRESH_MS);
    assertThat(published.readValuesToList()).hasSize(1).doesNotContainNull();
    assertThat(store().get(KEY)).isNotNull();
  }

  @Test
  void anEndpointNobodyTellsOfIsForgottenWithATombstone() {
    probe(new Success(), 1);
    published.readValuesToList();

    pass(7_200_000);

    assertThat(published.readKeyValuesToList()).contains(KeyValue.pair(KEY, null));
    assertThat(store().get(KEY)).isNull();
  }

  @Test
  void goesOnAfterARestartWithWhatItsStoreHolds() {
    failFiveTimes();
    EndpointHealth saved = Objects.requireNonNull(store().get(KEY));
    MockProcessorContext<EndpointKey, InstanceHealth> context = new MockProcessorContext<>();
    context.setCurrentSystemTimeMs(nowMs + 1_000);

    processor(context, saved);
    context.scheduledPunctuators().getFirst().getPunctuator().punctuate(nowMs + 1_000);

    assertThat(context.forwarded())
        .singleElement()
        .satisfies(
            forward -> {
              InstanceHealth health = forward.record().value();
              assertThat(health.circuit()).isEqualTo(CircuitStatus.OPEN);
              assertThat(health.atMs()).isEqualTo(nowMs + 1_000);
            });
  }

  @Test
  void anEndpointIsToldOfThoughTheProcessesTimeWentBack() {
    MockProcessorContext<EndpointKey, InstanceHealth> context = new MockProcessorContext<>();
    context.setCurrentSystemTimeMs(nowMs + 3_600_000);
    HealthProcessor processor = processor(context, null);
    processor.process(
        new Record<>(KEY, new HealthInput.Probed(probeResult(new Success(), 1)), nowMs));
    context.resetForwards();

    context.setCurrentSystemTimeMs(nowMs);
    context.scheduledPunctuators().getFirst().getPunctuator().punctuate(nowMs);

    assertThat(context.forwarded())
        .singleElement()
        .satisfies(forward -> assertThat(forward.record().value().atMs()).isEqualTo(nowMs));
  }

  @Test
  void anEndpointIsForgottenInTimeThoughTheProcessesTimeWentBack() {
    MockProcessorContext<EndpointKey, InstanceHealth> context = new MockProcessorContext<>();
    context.setCurrentSystemTimeMs(nowMs + 3_600_000);
    HealthProcessor processor = processor(context, null);
    processor.process(
        new Record<>(KEY, new HealthInput.Probed(probeResult(new Success(), 1)), nowMs));
    var tick = context.scheduledPunctuators().getFirst().getPunctuator();

    context.setCurrentSystemTimeMs(nowMs);
    tick.punctuate(nowMs);
    context.setCurrentSystemTimeMs(nowMs + 7_200_000);
    tick.punctuate(nowMs + 7_200_000);

    assertThat(context.forwarded().getLast().record().value()).isNull();
  }

  private HealthProcessor processor(
      MockProcessorContext<EndpointKey, InstanceHealth> context, @Nullable EndpointHealth stored) {
    KeyValueStore<EndpointKey, EndpointHealth> restored = emptyStore();
    restored.init(context.getStateStoreContext(), restored);
    if (stored != null) {
      restored.put(KEY, stored);
    }
    HealthProcessor processor =
        new HealthProcessor(
            REGION, HealthPolicy.DEFAULT, new SplittableRandom(1), share, REFRESH_MS);
    processor.init(context);
    return processor;
  }

  private KeyValueStore<EndpointKey, EndpointHealth> emptyStore() {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(HealthProcessor.STORE),
            topics.probes().keySerde(),
            HealthStateSerde.create())
        .withLoggingDisabled()
        .build();
  }

  @Test
  void holdsItsPartitionsWhileItRuns() {
    assertThat(share.partitions().assigned()).containsExactly(0);

    driver.close();

    assertThat(share.partitions().assigned()).isEmpty();
    open();
  }

  @Test
  void isShapedAsDescribed() throws IOException {
    try (InputStream golden =
        Objects.requireNonNull(getClass().getResourceAsStream("/health-topology.txt"))) {
      assertThat(topology().describe().toString())
          .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private void open() {
    driver = driver();
    nowMs = START.toEpochMilli();
    probes = input(topics.probes());
    attempts = input(topics.attempts());
    digests = input(topics.latencyDigests());
    published = output();
  }

  private Topology topology() {
    return HealthTopology.build(
        topics, REGION, HealthPolicy.DEFAULT, () -> new SplittableRandom(1), share, REFRESH_MS);
  }

  private TopologyTestDriver driver() {
    return new TopologyTestDriver(topology(), new Properties(), START);
  }

  private <K, V> TestInputTopic<K, V> input(Topic<K, V> topic) {
    return driver.createInputTopic(
        topic.name(), topic.keySerde().serializer(), topic.valueSerde().serializer());
  }

  private TestOutputTopic<EndpointKey, InstanceHealth> output() {
    Topic<EndpointKey, InstanceHealth> topic = topics.instanceHealth();
    return driver.createOutputTopic(
        topic.name(), topic.keySerde().deserializer(), topic.valueSerde().deserializer());
  }

  private KeyValueStore<EndpointKey, EndpointHealth> store() {
    return driver.getKeyValueStore(HealthProcessor.STORE);
  }

  private InstanceHealth latest() {
    List<InstanceHealth> all = published.readValuesToList();
    assertThat(all).as("something was published").isNotEmpty();
    return all.getLast();
  }

  private void failFiveTimes() {
    for (int i = 0; i < 5; i++) {
      attempt(failure(ErrorClass.NETWORK_ERROR));
    }
  }

  private void pass(long ms) {
    nowMs += ms;
    driver.advanceWallClockTime(Duration.ofMillis(ms));
  }

  private void probe(AttemptOutcome outcome, long chainIdSeen) {
    probes.pipeInput(KEY, probeResult(outcome, chainIdSeen));
  }

  private ProbeResult probeResult(AttemptOutcome outcome, long chainIdSeen) {
    return new ProbeResult(
        REGION, "h", CHAIN, ENDPOINT, nowMs, 5, outcome, chainIdSeen, 100L, false);
  }

  private void attempt(AttemptOutcome outcome) {
    attempts.pipeInput(KEY, attemptOf(outcome));
  }

  private Attempt attemptOf(AttemptOutcome outcome) {
    return new Attempt(
        REGION,
        "g",
        ProfileSlug.of("default"),
        CHAIN,
        new Channel(ProviderId.of("a"), INSTANCE, Transport.HTTP),
        "eth_call",
        new RequestId("r"),
        nowMs,
        4,
        outcome,
        0,
        0);
  }

  private void digest(String method, long successes, long failures) {
    LatencyDigest digest =
        new LatencyDigest(
            REGION,
            "g",
            ProfileSlug.of("default"),
            CHAIN,
            new Channel(ProviderId.of("a"), INSTANCE, Transport.HTTP),
            method,
            nowMs - 1_000,
            nowMs,
            Bytes.EMPTY,
            successes,
            Map.of(ErrorClass.TIMEOUT, failures));
    digests.pipeInput(topics.latencyDigests().keyOf(digest), digest);
  }

  private static Failure failure(ErrorClass errorClass) {
    return new Failure(errorClass, null, null, "it broke", null);
  }
}
