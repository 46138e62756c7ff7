package dev.lasso.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.ProbeResult;
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
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The role against a real broker and simulated providers. */
@ExtendWith(BrokerExtension.class)
class HealthServiceIT {
  private static final ChainId CHAIN = ChainId.of(1);
  private static final ProfileSlug SLUG = ProfileSlug.of("default");

  private final Simulation simulation =
      Simulation.builder()
          .chain(ChainSpec.of("one", 1).withInitialBlocks(10))
          .chain(ChainSpec.of("other", 137).withInitialBlocks(10))
          .provider(ProviderSpec.of("good", "one"))
          .provider(ProviderSpec.of("shaky", "one"))
          .provider(ProviderSpec.of("stray", "other"))
          .build();
  private final Map<Endpoint, InstanceHealth> health = new ConcurrentHashMap<>();
  private final Queue<ProbeResult> probes = new ConcurrentLinkedQueue<>();

  @TempDir private Path directory;
  private TopicCatalogue topics;
  private RoleRig rig;
  private Producer<byte[], byte[]> producer;
  private List<TopicTail<?>> tails;

  @BeforeEach
  void start(TestBroker broker) {
    simulation.start().await();
    topics =
        new TopicCatalogue(
            TopicSettings.defaults().withPrefix(broker.topicPrefix()).withPartitions(4));
    try (Admin admin = broker.admin()) {
      new TopicAdmin(admin, topics, Duration.ofSeconds(30)).apply();
    }
    rig = new RoleRig(broker, topics, directory).start();
    producer = producer();
    tails =
        List.of(
            tail("health-of-test", topics.instanceHealth(), this::heard),
            tail("probes-of-test", topics.probes(), probes::add));
    send(topics.profiles(), profile());
  }

  @AfterEach
  void stop() {
    tails.forEach(TopicTail::close);
    producer.close(Duration.ofSeconds(1));
    rig.close();
    simulation.close();
  }

  @Test
  void saysWhoIsWellOverEachTransport() {
    Await.until(
        () -> {
          assertThat(of("good", Transport.HTTP).status()).isEqualTo(HealthStatus.HEALTHY);
          assertThat(of("good", Transport.WS).status()).isEqualTo(HealthStatus.HEALTHY);
        });
    assertThat(of("good", Transport.HTTP).circuit()).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void namesAProviderOfAnotherChain() {
    Await.until(
        () -> {
          InstanceHealth stray = of("stray", Transport.HTTP);
          assertThat(stray.chainIdSeen()).isEqualTo(137);
          assertThat(stray.status()).isEqualTo(HealthStatus.UNAVAILABLE);
        });
  }

  @Test
  void failuresThatAGatewayReportsOpenTheFleetsCircuitAndProbesBringItBack() {
    Await.until(
        () -> assertThat(of("good", Transport.HTTP).status()).isEqualTo(HealthStatus.HEALTHY));
    for (int i = 0; i < 5; i++) {
      send(topics.attempts(), failedAttempt(endpoint("good", Transport.HTTP)));
    }
    Await.until(
        () -> assertThat(of("good", Transport.HTTP).circuit()).isEqualTo(CircuitStatus.OPEN));
    Await.until(
        () -> assertThat(of("good", Transport.WS).circuit()).isEqualTo(CircuitStatus.CLOSED));

    Await.until(
        () -> assertThat(of("good", Transport.HTTP).circuit()).isEqualTo(CircuitStatus.CLOSED));
  }

  @Test
  void probesAloneFindAProviderThatDiedAndThatItIsBack() {
    Await.until(
        () -> assertThat(of("shaky", Transport.HTTP).status()).isEqualTo(HealthStatus.HEALTHY));
    SimProvider shaky = simulation.provider("shaky");

    shaky.faults().pin("http:503");
    Await.until(
        () -> {
          assertThat(of("shaky", Transport.HTTP).consecutiveFailures()).isGreaterThanOrEqualTo(3);
          assertThat(of("shaky", Transport.HTTP).status()).isEqualTo(HealthStatus.DEGRADED);
        });
    shaky.faults().clear();

    Await.until(
        () -> assertThat(of("shaky", Transport.HTTP).status()).isEqualTo(HealthStatus.HEALTHY));
  }

  @Test
  void probesGoOnWhenTheTimeOfAProcessThatWasAheadIsSetBack() {
    rig.shiftTime(Duration.ofHours(1));
    Await.until(
        () -> {
          assertThat(of("shaky", Transport.HTTP).status()).isEqualTo(HealthStatus.HEALTHY);
          assertThat(of("shaky", Transport.HTTP).atMs()).isGreaterThan(aMinuteAhead());
        });

    rig.shiftTime(Duration.ofHours(-1));
    simulation.provider("shaky").faults().pin("http:503");

    Await.until(
        () -> {
          assertThat(of("shaky", Transport.HTTP).status()).isEqualTo(HealthStatus.DEGRADED);
          assertThat(of("shaky", Transport.HTTP).atMs()).isLessThan(aMinuteAhead());
        });
  }

  private static long aMinuteAhead() {
    return System.currentTimeMillis() + 60_000;
  }

  @Test
  void twoProcessesShareTheProbing(TestBroker broker, @TempDir Path secondDirectory) {
    try (RoleRig second = new RoleRig(broker, topics, secondDirectory).start()) {
      sharing(
          () -> {
            probes.clear();
            Await.await().until(() -> probes.size() >= 30);
            Map<Endpoint, Set<String>> probedBy =
                probes.stream()
                    .collect(
                        Collectors.groupingBy(
                            ProbeResult::endpoint,
                            Collectors.mapping(ProbeResult::process, Collectors.toSet())));
            assertThat(probedBy.values()).allMatch(processes -> processes.size() == 1);
            assertThat(probedBy.values().stream().flatMap(Set::stream).distinct())
                .containsExactlyInAnyOrder(
                    rig.context().id().process(), second.context().id().process());
          });
    }
    sharing(
        () -> {
          probes.clear();
          Await.await().until(() -> probes.size() >= 30);
          assertThat(probes.stream().map(ProbeResult::process).distinct())
              .containsExactly(rig.context().id().process());
          assertThat(probes.stream().map(ProbeResult::endpoint))
              .contains(
                  endpoint("good", Transport.HTTP),
                  endpoint("good", Transport.WS),
                  endpoint("shaky", Transport.HTTP),
                  endpoint("shaky", Transport.WS));
        });
  }

  /** Work changes hands in a few rounds of the group, each of which takes seconds. */
  private static void sharing(ThrowingRunnable assertion) {
    Await.await().atMost(Duration.ofMinutes(2)).untilAsserted(assertion);
  }

  private void heard(InstanceHealth value) {
    health.put(value.endpoint(), value);
  }

  private InstanceHealth of(String provider, Transport transport) {
    InstanceHealth known = health.get(endpoint(provider, transport));
    assertThat(known).as("health of %s over %s", provider, transport.word()).isNotNull();
    return Objects.requireNonNull(known);
  }

  private Endpoint endpoint(String provider, Transport transport) {
    Resolution resolved = provider(provider).resolve(CHAIN, SLUG, _ -> null);
    if (resolved instanceof Resolution.Usable usable) {
      return new Endpoint(usable.endpoint().instance(), transport);
    }
    throw new AssertionError("not usable: " + resolved);
  }

  private Profile profile() {
    ChainProfile chain =
        new ChainProfile(
            CHAIN,
            ChainName.of("one"),
            "one",
            1_000,
            List.of(),
            new Monitoring(200, 5),
            Selection.DEFAULT,
            WebSocketSettings.DEFAULT,
            SubscriptionSettings.DEFAULT,
            RoutingSettings.DEFAULT,
            MethodAccess.DEFAULT,
            List.of(provider("good"), provider("shaky"), provider("stray")));
    return new Profile(SLUG, "Default", 0, 0, List.of(chain));
  }

  private Provider provider(String id) {
    SimProvider simulated = simulation.provider(id);
    return new Provider(
        ProviderId.of(id),
        id,
        Templated.parse(simulated.httpUrl()),
        Templated.parse(simulated.wsUrl()),
        100,
        true,
        true,
        Map.of(),
        null,
        Sharing.SHARED,
        Capabilities.ALL);
  }

  private static Attempt failedAttempt(Endpoint endpoint) {
    return new Attempt(
        Region.of("local"),
        "gateway-1",
        SLUG,
        CHAIN,
        new Channel(ProviderId.of("good"), endpoint.instance(), endpoint.transport()),
        "eth_call",
        new RequestId("r"),
        System.currentTimeMillis(),
        2,
        new Failure(ErrorClass.NETWORK_ERROR, null, null, "connection refused", null),
        0,
        0);
  }

  private <V> void send(Topic<?, V> topic, V value) {
    var _ = producer.send(topic.encoded(value));
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
      String name, Topic<K, V> topic, java.util.function.Consumer<V> listener) {
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
