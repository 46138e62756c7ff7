package dev.lasso.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.broker.EmbeddedBroker.StartException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
  private static final long DEADLINE_SECONDS = 30;

  @TempDir Path directory;

  @Test
  void keepsDataAndPortWhenStoppedAndStartedAgain() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.in(directory, 0).start()) {
      String address = broker.bootstrapServers();
      createTopic(address, "kept");
      produce(address, "kept", "before");
      broker.stop();
      assertThat(broker.isRunning()).isFalse();

      broker.start();

      assertThat(broker.bootstrapServers()).isEqualTo(address);
      produce(address, "kept", "after");
      assertThat(consume(address, "kept", 2)).containsExactly("before", "after");
    }
  }

  @Test
  void anotherBrokerTakesOverADirectoryThatWasClosed() throws Exception {
    try (EmbeddedBroker first = EmbeddedBroker.in(directory, 0).start()) {
      createTopic(first.bootstrapServers(), "kept");
      produce(first.bootstrapServers(), "kept", "from the first");
    }
    try (EmbeddedBroker second = EmbeddedBroker.in(directory, 0).start()) {
      assertThat(consume(second.bootstrapServers(), "kept", 1)).containsExactly("from the first");
    }
  }

  @Test
  void aSuccessorOfAKilledBrokerDoesNotWaitForItsSessionForLong() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.in(directory, 0).start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      ConfigResource one = new ConfigResource(ConfigResource.Type.BROKER, "1");
      Config config =
          Objects.requireNonNull(
              admin
                  .describeConfigs(List.of(one))
                  .all()
                  .get(DEADLINE_SECONDS, TimeUnit.SECONDS)
                  .get(one));
      long sessionMs = Long.parseLong(config.get("broker.session.timeout.ms").value());
      long heartbeatMs = Long.parseLong(config.get("broker.heartbeat.interval.ms").value());
      assertThat(sessionMs).isLessThanOrEqualTo(3_000).isGreaterThanOrEqualTo(4 * heartbeatMs);
    }
  }

  @Test
  void aClientThatStayedConnectedGoesOnAfterARestart() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.ephemeral(0).start()) {
      createTopic(broker.bootstrapServers(), "steady");
      try (var producer = producer(broker.bootstrapServers())) {
        producer
            .send(new ProducerRecord<>("steady", "one"))
            .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        broker.stop();
        broker.start();
        assertThat(
                producer
                    .send(new ProducerRecord<>("steady", "two"))
                    .get(DEADLINE_SECONDS, TimeUnit.SECONDS)
                    .offset())
            .isEqualTo(1);
      }
    }
  }

  @Test
  void acceptsRecordsUpToSixteenMebibytesAsStored() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.ephemeral(0).start();
        var producer = producer(broker.bootstrapServers())) {
      createTopic(broker.bootstrapServers(), "large");
      String large = "x".repeat(15 * 1024 * 1024);
      assertThat(
              producer
                  .send(new ProducerRecord<>("large", large))
                  .get(DEADLINE_SECONDS, TimeUnit.SECONDS)
                  .offset())
          .isZero();
    }
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        EmbeddedBroker broker = EmbeddedBroker.in(directory, taken.getLocalPort())) {
      assertThatThrownBy(broker::start)
          .isInstanceOf(StartException.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("in use");
      assertThat(broker.isRunning()).isFalse();
    }
  }

  @Test
  void aDirectoryInUseIsNamed() {
    try (EmbeddedBroker first = EmbeddedBroker.in(directory, 0).start();
        EmbeddedBroker second = EmbeddedBroker.in(directory, 0)) {
      assertThatThrownBy(second::start)
          .isInstanceOf(StartException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("in use");
      assertThat(first.isRunning()).isTrue();
    }
  }

  @Test
  void anEphemeralBrokerLeavesNothingBehind() throws Exception {
    List<Path> before = temporaryDirectories();
    try (EmbeddedBroker broker = EmbeddedBroker.ephemeral(0).start()) {
      createTopic(broker.bootstrapServers(), "gone");
    }
    assertThat(temporaryDirectories()).hasSameSizeAs(before);
  }

  private static List<Path> temporaryDirectories() throws Exception {
    try (var entries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return entries
          .filter(entry -> entry.getFileName().toString().startsWith("lasso-kafka-"))
          .toList();
    }
  }

  private static void createTopic(String address, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
          .all()
          .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static KafkaProducer<String, String> producer(String address) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", address, "max.request.size", 16 * 1024 * 1024),
        new StringSerializer(),
        new StringSerializer());
  }

  private static void produce(String address, String topic, String value) throws Exception {
    try (var producer = producer(address)) {
      producer.send(new ProducerRecord<>(topic, value)).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static List<String> consume(String address, String topic, int count) {
    List<String> values = new ArrayList<>();
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    try (var consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                address,
                "group.id",
                "reader",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      while (values.size() < count && System.nanoTime() < deadlineNs) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }
}
