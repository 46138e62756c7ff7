package dev.lasso.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.Presence;
import dev.lasso.runtime.Condition;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.ProcessMetrics;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.ServiceGroup;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.schemas.PresenceKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What processes say of themselves in the presence topic of a real broker, and for the dead. */
@ExtendWith(BrokerExtension.class)
class PresenceIT {
  private static final Region HERE = Region.of("here");
  private static final Map<String, String> SETTINGS =
      Map.of(
          "LASSO_PRESENCE_INTERVAL", "200ms",
          "LASSO_PRESENCE_GONE_AFTER", "2s",
          "LASSO_PRESENCE_FORGOTTEN_AFTER", "4s");

  private final Vertx vertx = Vertx.vertx();
  private final List<ServiceGroup> started = new ArrayList<>();
  private final TopicCatalogue topics;
  private final String bootstrap;

  /** Each test has a topic of its own. */
  PresenceIT(TestBroker broker) {
    String test = UUID.randomUUID() + ".";
    topics = new TopicCatalogue(TopicSettings.defaults().withPrefix(broker.topicPrefix() + test));
    bootstrap = broker.bootstrapServers();
    broker.createCompacted(test + "presence", 1);
  }

  @TempDir private Path directory = Path.of(".");

  /** A heartbeat of a process that will say nothing more. */
  private void killed() {
    try (Producer<byte[], byte[]> producer =
        connection("killed")
            .producer(
                "test",
                ProducerLimits.acknowledged(),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      var _ =
          producer.send(
              topics
                  .presence()
                  .encoded(
                      new Presence(
                          HERE,
                          "gateway",
                          "killed",
                          "1",
                          0,
                          System.currentTimeMillis(),
                          false,
                          null,
                          List.of(),
                          List.of(),
                          List.of(),
                          Map.of(),
                          "ready",
                          List.of())));
    }
  }

  @AfterEach
  void end() {
    started.forEach(ServiceGroup::stop);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void theFirstOfTheLivingSaysFarewellForWhoeverWasKilled() {
    killed();
    List<PresenceKey> living =
        List.of(
            start("gateway", SETTINGS, new Readiness()),
            start("health", SETTINGS, new Readiness()));

    try (Consumer<byte[], byte[]> reader = reader()) {
      List<PresenceKey> farewells = new ArrayList<>();
      Map<PresenceKey, Integer> heartbeats = new HashMap<>();
      Await.until(
          () -> {
            read(reader, farewells, heartbeats);
            assertThat(farewells).isNotEmpty();
          });
      living.forEach(heartbeats::remove);
      Await.until(
          () -> {
            read(reader, farewells, heartbeats);
            living.forEach(key -> assertThat(heartbeats.get(key)).isGreaterThan(20));
          });
      assertThat(farewells).containsExactly(new PresenceKey(HERE, "gateway", "killed"));
    }
  }

  @Test
  void aProcessSaysAtOnceThatItIsReadyAndThatItNoLongerIs() {
    Map<String, String> rare =
        Map.of("LASSO_PRESENCE_INTERVAL", "5m", "LASSO_PRESENCE_GONE_AFTER", "10m");
    Readiness readiness = new Readiness();
    AtomicReference<Condition> condition = new AtomicReference<>(Condition.notReady("reads"));
    readiness.add("part", condition::get);
    start("gateway", rare, readiness);

    try (Consumer<byte[], byte[]> reader = reader()) {
      List<String> told = new ArrayList<>();
      awaitStatus(reader, told, "not_ready");
      condition.set(Condition.ready());
      awaitStatus(reader, told, "ready");
      condition.set(Condition.degraded("slow"));
      awaitStatus(reader, told, "degraded");
      assertThat(told).containsExactly("not_ready", "ready", "degraded");
    }
  }

  private void awaitStatus(Consumer<byte[], byte[]> reader, List<String> told, String status) {
    Await.until(
        () -> {
          reader
              .poll(Duration.ofMillis(100))
              .forEach(
                  record -> {
                    Presence presence = topics.presence().read(record).value();
                    told.add(presence == null ? "gone" : presence.condition());
                  });
          assertThat(told).endsWith(status);
        });
  }

  private Consumer<byte[], byte[]> reader() {
    Consumer<byte[], byte[]> reader = connection("check").reader("check");
    List<TopicPartition> partition = List.of(new TopicPartition(topics.presence().name(), 0));
    reader.assign(partition);
    reader.seekToBeginning(partition);
    return reader;
  }

  private void read(
      Consumer<byte[], byte[]> reader,
      List<PresenceKey> farewells,
      Map<PresenceKey, Integer> heartbeats) {
    reader
        .poll(Duration.ofMillis(100))
        .forEach(
            record -> {
              Topic.Entry<PresenceKey, Presence> entry = topics.presence().read(record);
              if (entry.value() == null) {
                farewells.add(entry.key());
              } else {
                heartbeats.merge(entry.key(), 1, Integer::sum);
              }
            });
  }

  /** Starts a process of one role; returns its key. */
  private PresenceKey start(String role, Map<String, String> settings, Readiness readiness) {
    ProcessId id = ProcessId.starting(role, HERE.value(), InstantSource.system());
    ProcessContext context =
        new ProcessContext(
            id,
            KafkaConnection.of(bootstrap, topics.settings().prefix(), id),
            topics,
            SettingCatalogue.of(EngineSettings.FLEET).read(settings),
            _ -> null,
            vertx,
            ProcessMetrics.of(id),
            readiness,
            (record, reader, why) -> {},
            InstantSource.system(),
            directory);
    PresenceView view = new PresenceView(context);
    ServiceGroup group =
        ServiceGroup.of(
            List.of(
                view,
                new PresenceSweep(context, view),
                new PresencePublisher(
                    context, role, () -> PresencePublisher.Work.at("127.0.0.1:1"))));
    group.start();
    started.add(group);
    return new PresenceKey(HERE, role, id.process());
  }

  private KafkaConnection connection(String clientId) {
    return new KafkaConnection(bootstrap, topics.settings().prefix(), clientId, Map.of());
  }
}
