package dev.lasso.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.Presence;
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
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A process that was killed, two that live, and the presence topic in a real broker. */
@ExtendWith(BrokerExtension.class)
class PresenceSweepIT {
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

  PresenceSweepIT(TestBroker broker) {
    topics = new TopicCatalogue(TopicSettings.defaults().withPrefix(broker.topicPrefix()));
    bootstrap = broker.bootstrapServers();
    broker.createCompacted("presence", 1);
  }

  @TempDir private Path directory = Path.of(".");

  @BeforeEach
  void killed() {
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
    List<PresenceKey> living = List.of(start("gateway"), start("health"));

    try (Consumer<byte[], byte[]> reader = connection("check").reader("check")) {
      List<TopicPartition> partition = List.of(new TopicPartition(topics.presence().name(), 0));
      reader.assign(partition);
      reader.seekToBeginning(partition);
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
  private PresenceKey start(String role) {
    ProcessId id = ProcessId.starting(role, HERE.value(), InstantSource.system());
    ProcessContext context =
        new ProcessContext(
            id,
            KafkaConnection.of(bootstrap, topics.settings().prefix(), id),
            topics,
            SettingCatalogue.of(EngineSettings.FLEET).read(SETTINGS),
            _ -> null,
            vertx,
            ProcessMetrics.of(id),
            new Readiness(),
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
