package dev.lasso.runtime.kafka;

import static dev.lasso.runtime.kafka.KafkaTestClient.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.broker.EmbeddedBroker;
import dev.lasso.runtime.Condition;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.LogCapture;
import dev.lasso.testkit.TestBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(BrokerExtension.class)
class TopicTailIT {
  @RegisterExtension final LogCapture logs = LogCapture.ofLasso();

  private final View view = new View();
  private final List<String> rejected = new CopyOnWriteArrayList<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  /** What a handler was told. */
  private static final class View implements TailHandler<String> {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Map<TopicPartition, Long>> offsets = new CopyOnWriteArrayList<>();

    @Override
    public void apply(TailBatch<String> batch) {
      batch.records().forEach(record -> events.add(record.event()));
      offsets.add(batch.nextOffsets());
    }

    @Override
    public void restarted(String topic) {
      events.add("restarted");
    }
  }

  private TopicTail<String> tail(KafkaConnection connection, TailStart start, String... topics) {
    List<String> names = new ArrayList<>();
    for (String topic : topics) {
      names.add(connection.topic(topic));
    }
    return TopicTail.start(
        connection,
        new TailSpec<>("test-view", names, start, KafkaTestClient::decode, view),
        (record, reader, why) ->
            rejected.add(record.topic() + "@" + record.offset() + " " + reader),
        meters,
        InstantSource.system());
  }

  private static KafkaConnection connection(TestBroker broker) {
    return KafkaTestClient.connection(broker.bootstrapServers(), broker.topicPrefix());
  }

  @Test
  void readsWhatIsThereThenWhatComes(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createCompacted("there", 3);
    write(connection, "there", "a", "1");
    write(connection, "there", "b", "2");

    try (var tail = tail(connection, new TailStart.Beginning(), "there")) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      assertThat(view.events).containsExactlyInAnyOrder("a=1", "b=2");
      assertThat(tail.status()).isEqualTo(new TailStatus.Current());
      assertThat(tail.condition()).isEqualTo(Condition.ready());

      write(connection, "there", "a", null);
      Await.until(() -> assertThat(view.events).endsWith("a=none"));
      assertThat(meters.counter("lasso.view.records", "view", "test-view").count()).isEqualTo(3);
    }
  }

  @Test
  void namesTheOffsetsBehindEachBatch(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createCompacted("offsets", 1);
    write(connection, "offsets", "a", "1");
    write(connection, "offsets", "a", "2");

    try (var tail = tail(connection, new TailStart.Beginning(), "offsets")) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      assertThat(view.offsets)
          .last()
          .isEqualTo(Map.of(new TopicPartition(broker.topic("offsets"), 0), 2L));
    }
  }

  @Test
  void anUnreadableRecordIsSkippedAndHandedOver(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("spoilt");
    write(connection, "spoilt", "a", "1");
    write(connection, "spoilt", "b", "bad");
    write(connection, "spoilt", "c", "3");

    try (var tail = tail(connection, new TailStart.Beginning(), "spoilt")) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      assertThat(view.events).containsExactly("a=1", "c=3");
      assertThat(rejected).containsExactly(broker.topic("spoilt") + "@1 test-view");
    }
  }

  @Test
  void mayBeginAtTheEnd(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("old");
    write(connection, "old", "a", "1");

    try (var tail = tail(connection, new TailStart.End(), "old")) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      write(connection, "old", "b", "2");
      Await.until(() -> assertThat(view.events).containsExactly("b=2"));
    }
  }

  @Test
  void mayBeginAtRecentRecords(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("aging");
    long now = System.currentTimeMillis();
    try (var producer = KafkaTestClient.producer(connection)) {
      producer
          .send(new ProducerRecord<>(connection.topic("aging"), 0, now - 3_600_000, "a", "old"))
          .get(30, TimeUnit.SECONDS);
      producer
          .send(new ProducerRecord<>(connection.topic("aging"), 0, now, "b", "new"))
          .get(30, TimeUnit.SECONDS);
    }

    try (var tail = tail(connection, new TailStart.Recent(Duration.ofMinutes(10)), "aging")) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      assertThat(view.events).containsExactly("b=new");
    }
  }

  @Test
  void passesOverWhatHasBeenWrittenAgainSince(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("rows", "quiet", "kept");
    long now = System.currentTimeMillis();
    try (var producer = KafkaTestClient.producer(connection)) {
      for (String topic : List.of("rows", "quiet", "kept")) {
        producer
            .send(
                new ProducerRecord<>(
                    connection.topic(topic), 0, now - 3_600_000, topic, "an hour old"))
            .get(30, TimeUnit.SECONDS);
      }
      producer
          .send(new ProducerRecord<>(connection.topic("rows"), 0, now, "rows", "new"))
          .get(30, TimeUnit.SECONDS);
    }

    TailStart start =
        new TailStart.Refreshed(
            Duration.ofMinutes(10), Set.of(connection.topic("rows"), connection.topic("quiet")));
    try (var tail = tail(connection, start, "rows", "quiet", "kept")) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      assertThat(view.events)
          .containsExactlyInAnyOrder("rows=new", "quiet=an hour old", "kept=an hour old");
    }
  }

  @Test
  void waitsForAMissingTopicAndNamesIt(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    try (var tail = tail(connection, new TailStart.Beginning(), "late")) {
      Await.until(
          () ->
              assertThat(tail.condition())
                  .isEqualTo(Condition.notReady("topic " + broker.topic("late") + " is missing")));

      broker.createTopics("late");
      tail.caughtUp().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aTopicMadeAnewIsReadFromItsBeginning(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("replaced");
    write(connection, "replaced", "a", "1");
    try (var tail = tail(connection, new TailStart.Beginning(), "replaced");
        Admin admin = broker.admin()) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);

      admin.deleteTopics(List.of(broker.topic("replaced"))).all().get(30, TimeUnit.SECONDS);
      Await.until(() -> assertThat(tail.status()).isInstanceOf(TailStatus.Degraded.class));
      broker.createTopics("replaced");
      write(connection, "replaced", "b", "2");

      Await.until(() -> assertThat(view.events).containsExactly("a=1", "restarted", "b=2"));
      Await.until(() -> assertThat(tail.status()).isEqualTo(new TailStatus.Current()));
    }
  }

  @Test
  void partitionsThatAreAddedAreReadToo(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("grown");
    try (var tail = tail(connection, new TailStart.End(), "grown");
        Admin admin = broker.admin();
        var producer = KafkaTestClient.producer(connection)) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);

      admin
          .createPartitions(Map.of(broker.topic("grown"), NewPartitions.increaseTo(2)))
          .all()
          .get(30, TimeUnit.SECONDS);
      producer
          .send(new ProducerRecord<>(connection.topic("grown"), 1, "a", "1"))
          .get(30, TimeUnit.SECONDS);

      Await.until(() -> assertThat(view.events).containsExactly("a=1"));
    }
  }

  @Test
  void outlivesTheBroker() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.ephemeral(0).start()) {
      KafkaConnection connection = KafkaTestClient.connection(broker.bootstrapServers(), "lasso.");
      createTopic(connection, "durable");
      write(connection, "durable", "a", "1");
      broker.stop();

      try (var tail = tail(connection, new TailStart.Beginning(), "durable")) {
        Await.until(
            () ->
                assertThat(tail.condition())
                    .isEqualTo(
                        Condition.notReady(
                            "Kafka at " + connection.bootstrap() + " does not answer")));
        broker.start();
        tail.caughtUp().get(30, TimeUnit.SECONDS);
        assertThat(view.events).containsExactly("a=1");

        broker.stop();
        Await.until(() -> assertThat(tail.condition()).isInstanceOf(Condition.Degraded.class));
        broker.start();
        write(connection, "durable", "b", "2");

        Await.until(() -> assertThat(view.events).containsExactly("a=1", "b=2"));
        Await.until(() -> assertThat(tail.condition()).isEqualTo(Condition.ready()));
      }
    }
  }

  @Test
  void aHandlerThatThrowsDoesNotStopTheTail(TestBroker broker) throws Exception {
    logs.expectError("view failed to take a batch");
    KafkaConnection connection = connection(broker);
    broker.createTopics("thrown");
    write(connection, "thrown", "a", "1");
    List<String> taken = new CopyOnWriteArrayList<>();
    TailHandler<String> careless =
        batch ->
            batch
                .records()
                .forEach(
                    record -> {
                      if (record.event().equals("a=1")) {
                        throw new IllegalStateException("never seen such a thing");
                      }
                      taken.add(record.event());
                    });
    try (var tail =
        TopicTail.start(
            connection,
            new TailSpec<>(
                "careless-view",
                List.of(connection.topic("thrown")),
                new TailStart.Beginning(),
                KafkaTestClient::decode,
                careless),
            (record, reader, why) -> {},
            meters,
            InstantSource.system())) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      write(connection, "thrown", "b", "2");
      Await.until(() -> assertThat(taken).containsExactly("b=2"));
    }
  }

  private static void createTopic(KafkaConnection connection, String topic) throws Exception {
    try (Admin admin = connection.admin("setup")) {
      admin
          .createTopics(List.of(new NewTopic(connection.topic(topic), 1, (short) 1)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }
}
