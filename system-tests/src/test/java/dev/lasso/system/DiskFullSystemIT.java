package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker's disk fills up under load: requests are answered all the while, the broker says in
 * one line what is full and ends, and once there is room again nothing that it acknowledged is
 * missing.
 */
class DiskFullSystemIT {
  private static final String TOPIC = "somebodys";
  private static final String RPC = "/rpc/profile/disk/main";
  private static final int DISK_MEBIBYTES = 64;

  @TempDir private Path directory = Path.of(".");

  @Test
  void requestsGoOnAndNothingAcknowledgedIsLost() throws Exception {
    Path data = Files.createDirectory(directory.resolve("disk"));
    Set<String> acknowledged = new ConcurrentSkipListSet<>();
    try (SmallDisk disk = SmallDisk.mount(data, DISK_MEBIBYTES);
        TestProviders providers = TestProviders.start("one", "two");
        Fleet fleet = new Fleet(directory)) {
      LassoCommand broker = fleet.broker(disk.inside(), data.resolve("broker"));
      fleet.createTopics();
      Rpc gateway = new Rpc(fleet.start("gateway", 0).ready().http());
      Rpc health = new Rpc(fleet.start("health", 0).ready().http());
      fleet.apply(providers.profile("disk", "one", "two"));
      Await.until(() -> gateway.result(RPC, Rpc.BALANCE));
      try (Load load = Load.start(RPC, gateway);
          Writer writer = new Writer(fleet.kafka(), acknowledged)) {
        Await.until(() -> assertThat(acknowledged).hasSizeGreaterThan(50));
        disk.fill();
        broker.expectError("embedded broker");
        assertThat(broker.exitCode()).as(broker.toString()).isEqualTo(1);
        writer.end();
        assertToldInOneLine(broker, data.resolve("broker"));
        Fleet.await("degraded", List.of(gateway, health));
        load.keepUp(1, TimeUnit.SECONDS);

        disk.makeRoom();
        fleet.broker(disk.inside(), data.resolve("broker"));
        Fleet.await("ready", List.of(gateway, health));
        load.awaitAnswers(20);
        assertThat(load.failures()).isEmpty();
      }
      assertThat(stored(fleet.kafka())).containsAll(acknowledged);
      Await.until(
          () ->
              assertThat(Fleet.provider(gateway, "disk", "one").getString("status"))
                  .isEqualTo("healthy"));
      Figures.print("disk full: %d records acknowledged, all there".formatted(acknowledged.size()));
    }
  }

  private static void assertToldInOneLine(LassoCommand broker, Path data) {
    List<String> told = broker.errors();
    assertThat(told.stream().filter(line -> line.startsWith("lasso: ")))
        .as(broker.toString())
        .singleElement()
        .asString()
        .startsWith("lasso: the Kafka broker ended: ")
        .contains(data.toString(), "full");
    assertThat(told).as("no flood").hasSizeLessThan(12).noneMatch(line -> line.startsWith("\tat "));
  }

  private static Set<String> stored(String kafka) {
    Set<String> stored = new HashSet<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(TOPIC, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          stored.add(new String(record.key(), StandardCharsets.UTF_8));
        }
      }
    }
    return stored;
  }

  /** Writes numbered records, one after the other, and keeps which were acknowledged. */
  private static final class Writer implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread;
    private volatile boolean running = true;

    Writer(String kafka, Set<String> acknowledged) throws Exception {
      try (var admin =
          org.apache.kafka.clients.admin.Admin.create(Map.of("bootstrap.servers", kafka))) {
        admin
            .createTopics(List.of(new org.apache.kafka.clients.admin.NewTopic(TOPIC, 1, (short) 1)))
            .all()
            .get(30, TimeUnit.SECONDS);
      }
      producer =
          new KafkaProducer<>(
              Map.of(
                  "bootstrap.servers", kafka,
                  "acks", "all",
                  "max.block.ms", "1000",
                  "request.timeout.ms", "1000",
                  "delivery.timeout.ms", "1500"),
              new ByteArraySerializer(),
              new ByteArraySerializer());
      thread = Thread.ofVirtual().start(() -> write(acknowledged));
    }

    private void write(Set<String> acknowledged) {
      for (int i = 0; running; i++) {
        String key = Integer.toString(i);
        try {
          var _ =
              producer
                  .send(
                      new ProducerRecord<>(
                          TOPIC, key.getBytes(StandardCharsets.UTF_8), new byte[4_096]))
                  .get(5, TimeUnit.SECONDS);
          acknowledged.add(key);
        } catch (Exception _) {
          // not acknowledged: nobody promised anything
        }
      }
    }

    void end() {
      running = false;
      Load.join(List.of(thread));
    }

    @Override
    public void close() {
      end();
      producer.close(Duration.ZERO);
    }
  }
}
