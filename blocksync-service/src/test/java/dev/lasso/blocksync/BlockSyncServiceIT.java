package dev.lasso.blocksync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.ChainState.InstanceHeight;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.HeadSighting.Source;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.MethodAccess;
import dev.lasso.routing.profile.Monitoring;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.profile.Templated;
import dev.lasso.routing.profile.WebSocketSettings;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.runtime.kafka.TailSpec;
import dev.lasso.runtime.kafka.TailStart;
import dev.lasso.runtime.kafka.TopicTail;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.simulator.ProviderSpec;
import dev.lasso.simulator.SimProvider;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.node.NodeSpec;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The role against a real broker and simulated providers; the tests decide when blocks come. */
@ExtendWith(BrokerExtension.class)
class BlockSyncServiceIT {
  private static final ChainId CHAIN = ChainId.of(1);
  private static final ProfileSlug SLUG = ProfileSlug.of("default");
  private static final int OFTEN_MS = 100;
  private static final int SELDOM_MS = 3_600_000;
  private static final int CHAINS = 8;
  private static final AtomicInteger TESTS = new AtomicInteger();

  private final Simulation simulation = simulation();
  private final Map<ChainId, ChainState> states = new ConcurrentHashMap<>();
  private final Queue<HeadSighting> sightings = new ConcurrentLinkedQueue<>();

  private final TopicCatalogue topics;
  private final RoleRig rig;
  private final Producer<byte[], byte[]> producer;
  private List<TopicTail<?>> tails = List.of();

  /** Each test has topics of its own: what one saw of a chain is nothing to the next. */
  BlockSyncServiceIT(TestBroker broker, @TempDir Path directory) {
    topics =
        new TopicCatalogue(
            TopicSettings.defaults()
                .withPrefix(broker.topicPrefix() + TESTS.incrementAndGet() + ".")
                .withPartitions(4));
    rig = new RoleRig(broker, topics, directory);
    producer = producer();
  }

  private static Simulation simulation() {
    Simulation.Builder builder = Simulation.builder().mineByCommandOnly();
    for (int id = 1; id <= CHAINS; id++) {
      builder.chain(ChainSpec.of("chain" + id, id).withInitialBlocks(100));
    }
    builder
        .provider(ProviderSpec.of("one", "chain1"))
        .provider(ProviderSpec.of("two", "chain1"))
        .provider(
            ProviderSpec.of("behind", "chain1").withNode(NodeSpec.archivalNode().withHeadOffset(5)))
        .provider(ProviderSpec.of("stray", "chain2"));
    for (int id = 2; id <= CHAINS; id++) {
      builder.provider(ProviderSpec.of("of" + id, "chain" + id));
    }
    return builder.build();
  }

  @BeforeEach
  void start(TestBroker broker) {
    simulation.start().await();
    try (Admin admin = broker.admin()) {
      new TopicAdmin(admin, topics, Duration.ofSeconds(30)).apply();
    }
    rig.start();
    tails =
        List.of(
            tail("states-of-test", topics.chainState(), state -> states.put(state.chain(), state)),
            tail("sightings-of-test", topics.upstreamHeads(), this::sighted));
  }

  @AfterEach
  void stop() {
    tails.forEach(TopicTail::close);
    producer.close(Duration.ofSeconds(1));
    rig.close();
    simulation.close();
  }

  @Test
  void heightsConsensusAndFinalityOfProvidersThatOnlySpeakHttp() {
    apply(profile(OFTEN_MS, http("one"), http("two"), http("behind")));
    chain().mine(3);

    Await.until(
        () -> {
          ChainState state = state();
          assertThat(state.consensusHeight()).isEqualTo(head());
          assertThat(height(state, "one")).isEqualTo(head());
          assertThat(height(state, "two")).isEqualTo(head());
          assertThat(height(state, "behind")).isEqualTo(head() - 5);
          assertThat(state.safe()).isNotNull();
          assertThat(state.finalized()).isNotNull().isLessThan(head());
        });

    chain().mine();
    Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(head()));
    assertThat(sightings).allMatch(sighting -> sighting.source() == Source.HTTP_POLL);
  }

  @Test
  void pushedHeadsNeedNoPolling() {
    apply(profile(SELDOM_MS, both("one"), both("two")));
    Await.until(
        () ->
            assertThat(simulation.providers())
                .filteredOn(provider -> Set.of("one", "two").contains(provider.spec().id()))
                .allMatch(provider -> provider.node().subscriptionCount() == 1));
    Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(head()));

    Await.until(
        () -> {
          chain().mine();
          Await.await().until(() -> Objects.equals(state().consensusHeight(), head()));
          assertThat(sightings)
              .filteredOn(sighting -> sighting.number() == head())
              .hasSize(2)
              .allMatch(sighting -> sighting.source() == Source.WS_NEW_HEADS)
              .allMatch(sighting -> chain().head().hash().equals(sighting.hash()));
        });
  }

  @Test
  void aStreamThatGoesSilentIsMadeUpForByPolling() {
    apply(profile(OFTEN_MS, both("one")));
    Await.until(
        () -> {
          chain().mine();
          assertThat(sightings).anyMatch(sighting -> sighting.source() == Source.WS_NEW_HEADS);
        });
    simulation.provider("one").faults().pin("stopHeads:notifications");

    chain().mine();

    Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(head()));
  }

  @Test
  void aProviderThatStoppedDoesNotHoldTheChainBack() {
    apply(profile(OFTEN_MS, http("one"), http("two")));
    Await.until(
        () -> assertThat(state().heights()).hasSize(2).allMatch(one -> one.height() == head()));
    long stoppedAt = head();
    simulation.provider("two").faults().pin("stopHeads");

    for (int i = 0; i < 3; i++) {
      chain().mine();
      Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(head()));
    }
    assertThat(height(state(), "two")).isEqualTo(stoppedAt);
  }

  @Test
  void aReorgToALowerHeightIsFollowed() {
    apply(profile(OFTEN_MS, http("one"), http("two")));
    Await.until(
        () -> assertThat(state().heights()).hasSize(2).allMatch(one -> one.height() == head()));
    long before = head();

    chain().rewind(10);

    Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(before - 10));
    chain().mine();
    Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(before - 9));
  }

  @Test
  void headsMoveOnWhenTheTimeOfAProcessThatStartedAheadIsSetBack() {
    rig.shiftTime(Duration.ofHours(1));
    apply(profile(OFTEN_MS, http("one")));
    Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(head()));

    rig.shiftTime(Duration.ofHours(-1));
    apply(profile(OFTEN_MS, http("one"), http("two")));
    chain().mine();

    Await.until(
        () -> {
          assertThat(state().consensusHeight()).isEqualTo(head());
          assertThat(height(state(), "two")).isEqualTo(head());
          assertThat(state().atMs()).isLessThan(System.currentTimeMillis() + 60_000);
        });
  }

  @Test
  void aProviderOfAnotherChainIsNoSource() {
    simulation.chain("chain2").mine(1_000);
    apply(profile(OFTEN_MS, both("stray"), http("one")));

    Await.until(() -> assertThat(state().consensusHeight()).isEqualTo(head()));
    Await.until(
        () -> assertThat(simulation.provider("stray").recordedRequests()).hasSizeGreaterThan(5));
    assertThat(sightings).extracting(HeadSighting::instance).containsOnly(instance(http("one")));
  }

  @Test
  void pollsBringHeadersWhileSomebodyNeedsThem() {
    apply(profile(OFTEN_MS, http("one")));
    Await.until(() -> assertThat(sightings).isNotEmpty());
    assertThat(sightings).allMatch(sighting -> sighting.header() == null);

    rig.wantHeads(CHAIN);

    Await.until(
        () ->
            assertThat(sightings)
                .anySatisfy(
                    sighting -> {
                      assertThat(sighting.hash()).isEqualTo(chain().head().hash());
                      assertThat(sighting.parentHash()).isNotNull();
                      assertThat(sighting.header()).isNotNull();
                      assertThat(text(sighting))
                          .contains("logsBloom")
                          .doesNotContain("transactions\"");
                    }));
  }

  @Test
  void twoProcessesShareTheChains(TestBroker broker, @TempDir Path secondDirectory) {
    apply(everyChain());
    try (RoleRig second = new RoleRig(broker, topics, secondDirectory).start()) {
      Await.until(
          () -> {
            Map<ChainId, Set<String>> watchers = watchers();
            assertThat(watchers).hasSize(CHAINS).allSatisfy(this::watchedByOne);
            assertThat(watchers.values().stream().flatMap(Set::stream).distinct())
                .containsExactlyInAnyOrder(rig.process(), second.process());
          });
    }
    Await.until(
        () ->
            assertThat(watchers())
                .hasSize(CHAINS)
                .allSatisfy(
                    (chain, processes) -> assertThat(processes).containsExactly(rig.process())));
  }

  private void watchedByOne(ChainId chain, Set<String> processes) {
    assertThat(processes).as("watchers of chain %s", chain).hasSize(1);
  }

  /** Who watched each chain during the next hundred sightings. */
  private Map<ChainId, Set<String>> watchers() {
    sightings.clear();
    Await.await().until(() -> sightings.size() >= 100);
    return sightings.stream()
        .collect(
            Collectors.groupingBy(
                HeadSighting::chain,
                Collectors.mapping(HeadSighting::process, Collectors.toSet())));
  }

  private void sighted(HeadSighting sighting) {
    sightings.add(sighting);
  }

  private SimChain chain() {
    return simulation.chain("chain1");
  }

  private long head() {
    return chain().head().number();
  }

  private ChainState state() {
    ChainState state = states.get(CHAIN);
    assertThat(state).as("state of the chain").isNotNull();
    return Objects.requireNonNull(state);
  }

  private long height(ChainState state, String provider) {
    InstanceId instance = instance(http(provider));
    return state.heights().stream()
        .filter(height -> height.instance().equals(instance))
        .mapToLong(InstanceHeight::height)
        .findFirst()
        .orElse(-1);
  }

  private static InstanceId instance(Provider provider) {
    Resolution resolved = provider.resolve(CHAIN, SLUG, _ -> null);
    if (resolved instanceof Resolution.Usable usable) {
      return usable.endpoint().instance();
    }
    throw new AssertionError("not usable: " + resolved);
  }

  private static String text(HeadSighting sighting) {
    return new String(Objects.requireNonNull(sighting.header()).toArray(), StandardCharsets.UTF_8);
  }

  private static Profile profile(int intervalMs, Provider... providers) {
    return new Profile(
        SLUG, "Default", 0, 0, List.of(chainProfile(CHAIN, intervalMs, List.of(providers))));
  }

  private Profile everyChain() {
    List<ChainProfile> chains = new ArrayList<>();
    chains.add(chainProfile(CHAIN, OFTEN_MS, List.of(http("one"))));
    for (int id = 2; id <= CHAINS; id++) {
      chains.add(chainProfile(ChainId.of(id), OFTEN_MS, List.of(http("of" + id))));
    }
    return new Profile(SLUG, "Default", 0, 0, chains);
  }

  private static ChainProfile chainProfile(
      ChainId chain, int intervalMs, List<Provider> providers) {
    return new ChainProfile(
        chain,
        ChainName.of("chain" + chain),
        "chain " + chain,
        1_000,
        List.of(),
        new Monitoring(intervalMs, 5),
        Selection.DEFAULT,
        new WebSocketSettings(true, 1_000),
        SubscriptionSettings.DEFAULT,
        RoutingSettings.DEFAULT,
        MethodAccess.DEFAULT,
        providers);
  }

  private Provider http(String id) {
    return provider(id, null);
  }

  private Provider both(String id) {
    return provider(id, Templated.parse(simulation.provider(id).wsUrl()));
  }

  private Provider provider(String id, @Nullable Templated wsUrl) {
    SimProvider simulated = simulation.provider(id);
    return new Provider(
        ProviderId.of(id),
        id,
        Templated.parse(simulated.httpUrl()),
        wsUrl,
        100,
        true,
        true,
        Map.of(),
        null,
        Sharing.SHARED,
        Capabilities.ALL);
  }

  private void apply(Profile profile) {
    var _ = producer.send(topics.profiles().encoded(profile));
  }

  private Producer<byte[], byte[]> producer() {
    return rig.context()
        .kafka()
        .producer(
            "test",
            ProducerLimits.acknowledged(),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  private <K, V> TopicTail<Topic.Entry<K, V>> tail(
      String name, Topic<K, V> topic, Consumer<V> listener) {
    return TopicTail.start(
        rig.context().kafka(),
        new TailSpec<>(
            name,
            List.of(topic.name()),
            new TailStart.Beginning(),
            topic::read,
            batch ->
                batch
                    .records()
                    .forEach(
                        record -> {
                          V value = record.event().value();
                          if (value != null) {
                            listener.accept(value);
                          }
                        })),
        (record, reader, why) -> {},
        rig.context().metrics().registry(),
        rig.context().clock());
  }
}
