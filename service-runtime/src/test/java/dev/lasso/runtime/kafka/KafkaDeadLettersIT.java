package dev.lasso.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.LogCapture;
import dev.lasso.testkit.TestBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

@ExtendWith(BrokerExtension.class)
class KafkaDeadLettersIT {
  @RegisterExtension final LogCapture logs = LogCapture.ofLasso();

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void countsEachTimeLogsOnceAndKeepsACopy(TestBroker broker) throws Exception {
    KafkaConnection connection =
        KafkaTestClient.connection(broker.bootstrapServers(), broker.topicPrefix());
    broker.createTopics(KafkaDeadLetters.TOPIC);
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(connection.topic("probes"), 2, 17, bytes("eu|node"), bytes("garbage"));
    List<ConsumerRecord<byte[], byte[]>> copies = new CopyOnWriteArrayList<>();

    try (KafkaDeadLetters letters = KafkaDeadLetters.start(connection, meters);
        var tail =
            TopicTail.start(
                connection,
                new TailSpec<>(
                    "letters",
                    List.of(connection.topic(KafkaDeadLetters.TOPIC)),
                    new TailStart.Beginning(),
                    copy -> copies.add(copy),
                    batch -> {}),
                letters,
                meters,
                InstantSource.system())) {
      tail.caughtUp().get(30, TimeUnit.SECONDS);
      letters.reject(record, "health", new IllegalArgumentException("no such fingerprint"));
      letters.reject(record, "health", new IllegalArgumentException("no such fingerprint"));

      Await.until(() -> assertThat(copies).hasSize(1));
      ConsumerRecord<byte[], byte[]> copy = copies.getFirst();
      assertThat(copy.key()).isEqualTo(bytes(connection.topic("probes") + "|2|17"));
      assertThat(copy.value()).isEqualTo(bytes("garbage"));
      assertThat(copy.headers().lastHeader("key").value()).isEqualTo(bytes("eu|node"));
      assertThat(copy.headers().lastHeader("error").value())
          .isEqualTo(bytes("java.lang.IllegalArgumentException"));
    }

    assertThat(
            meters
                .counter(
                    "lasso.dead.letters", "topic", connection.topic("probes"), "reader", "health")
                .count())
        .isEqualTo(2);
    assertThat(logs.messages(Level.WARN))
        .filteredOn(message -> message.startsWith("unreadable record skipped"))
        .singleElement()
        .asString()
        .contains("partition=2 offset=17 reader=health");
  }

  @Test
  void doesNotBlockWhileKafkaIsAway() throws Exception {
    KafkaConnection nowhere = KafkaTestClient.connection("127.0.0.1:1", "lasso.");
    try (KafkaDeadLetters letters = KafkaDeadLetters.start(nowhere, meters)) {
      for (int offset = 0; offset < 1_000; offset++) {
        letters.reject(
            new ConsumerRecord<>("lasso.probes", 0, offset, bytes("k"), bytes("v")),
            "health",
            new IllegalArgumentException("garbage"));
      }
    }
    assertThat(
            meters
                .counter("lasso.dead.letters", "topic", "lasso.probes", "reader", "health")
                .count())
        .isEqualTo(1_000);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
