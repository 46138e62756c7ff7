package dev.lasso.system.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.schemas.admin.TopicChange;
import dev.lasso.system.broker.BrokerKind.Running;
import dev.lasso.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Topics and their settings, compaction with history, groups that share and move partitions, bounds
 * of producers, transactions: what Lasso's correctness rests on, the same for every broker.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(BrokerKind.class)
class BrokerContractIT {
  private static final Map<BrokerKind, Running> BROKERS = new EnumMap<>(BrokerKind.class);
  private static final ProcessId PROCESS =
      new ProcessId("contract", "test", "contract-1", "1", Instant.EPOCH);
  private static final long WITHIN_S = 30;

  @Parameter BrokerKind kind = BrokerKind.EMBEDDED;

  private String prefix = "";
  private KafkaConnection kafka = KafkaConnection.of("localhost:1", "", PROCESS);

  @BeforeEach
  void reach(TestInfo test) {
    String missing = kind.missing();
    assumeTrue(missing == null, () -> kind + " skipped: " + missing);
    Running broker = BROKERS.computeIfAbsent(kind, BrokerKind::start);
    prefix = "contract-" + Integer.toHexString(test.getDisplayName().hashCode()) + ".";
    kafka = KafkaConnection.of(broker.bootstrapServers(), prefix, PROCESS);
  }

  @AfterAll
  static void stop() {
    BROKERS.values().forEach(Running::close);
    BROKERS.clear();
  }

  private String create(Admin admin, String name, int partitions, Map<String, String> configs)
      throws Exception {
    String topic = prefix + name;
    admin
        .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(configs)))
        .all()
        .get(WITHIN_S, TimeUnit.SECONDS);
    return topic;
  }

  private Producer<byte[], byte[]> producer(ProducerLimits limits) {
    return kafka.producer("writer", limits, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void send(
      Producer<byte[], byte[]> producer, String topic, String key, String value) throws Exception {
    producer
        .send(new ProducerRecord<>(topic, bytes(key), bytes(value)))
        .get(WITHIN_S, TimeUnit.SECONDS);
  }

  /** Everything that stands in partition 0 now. */
  private List<String> all(String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<String> values = new ArrayList<>();
    try (Consumer<byte[], byte[]> reader = kafka.reader("all")) {
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      long end = reader.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (reader.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(200))) {
          values.add(text(record.value()));
        }
      }
    }
    return values;
  }

  @Test
  void everyTopicIsMadeAsTheCatalogueSaysAndADifferenceIsFound() throws Exception {
    TopicCatalogue catalogue =
        new TopicCatalogue(TopicSettings.defaults().withPrefix(prefix).withPartitions(2));
    try (Admin admin = kafka.admin("topics")) {
      TopicAdmin topics = new TopicAdmin(admin, catalogue, Duration.ofSeconds(WITHIN_S));
      assertThat(topics.apply())
          .hasSize(catalogue.specs().size())
          .allMatch(TopicChange.Created.class::isInstance);
      Await.until(() -> assertThat(topics.check()).isEmpty());
      String profiles = catalogue.profiles().name();
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, profiles),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET))))
          .all()
          .get(WITHIN_S, TimeUnit.SECONDS);
      Await.until(
          () ->
              assertThat(topics.check())
                  .anyMatch(drift -> drift.describe().contains("cleanup.policy")));
      topics.apply();
      Await.until(() -> assertThat(topics.check()).isEmpty());
    }
  }

  @Test
  void compactionKeepsEveryVersionWithinTheHistoryAndTheLastOnesForEver() throws Exception {
    try (Admin admin = kafka.admin("topics");
        Producer<byte[], byte[]> producer = producer(ProducerLimits.acknowledged())) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.BROKER, ""),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("log.cleaner.backoff.ms", "100"),
                          AlterConfigOp.OpType.SET))))
          .all()
          .get(WITHIN_S, TimeUnit.SECONDS);
      Map<String, String> compacted =
          Map.of(
              "cleanup.policy", "compact",
              "segment.ms", "100",
              "min.cleanable.dirty.ratio", "0.001",
              "delete.retention.ms", "0");
      String withHistory = create(admin, "history", 1, with(compacted, "3600000"));
      String without = create(admin, "latest", 1, with(compacted, "0"));
      List<String> written = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String value = "v" + i;
        written.add(value);
        send(producer, withHistory, "key-" + i % 2, value);
        send(producer, without, "key-" + i % 2, value);
      }
      Await.until(
          () -> {
            // a write closes the segment before it, so that it can be cleaned
            send(producer, withHistory, "tick", "tick");
            send(producer, without, "tick", "tick");
            List<String> left = new ArrayList<>(all(without));
            left.removeIf("tick"::equals);
            assertThat(left).containsExactly("v18", "v19");
          });
      List<String> kept = new ArrayList<>(all(withHistory));
      kept.removeIf("tick"::equals);
      assertThat(kept).isEqualTo(written);
    }
  }

  private static Map<String, String> with(Map<String, String> configs, String historyMs) {
    Map<String, String> all = new HashMap<>(configs);
    all.put("min.compaction.lag.ms", historyMs);
    return all;
  }

  /** A group member that commits what it has worked on before it gives partitions away. */
  private final class Member implements AutoCloseable {
    private final Consumer<byte[], byte[]> consumer;
    private final Set<String> seen;
    private final List<String> repeated;
    private boolean committing = true;

    Member(String name, String topic, Set<String> seen, List<String> repeated) {
      this.seen = seen;
      this.repeated = repeated;
      consumer = kafka.groupMember(name, prefix + "group", Duration.ofSeconds(6));
      consumer.subscribe(
          List.of(topic),
          new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
              if (committing) {
                consumer.commitSync();
              }
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
          });
    }

    Set<TopicPartition> poll() {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        String value = text(record.value());
        if (!seen.add(value)) {
          repeated.add(value);
        }
      }
      return consumer.assignment();
    }

    @Override
    public void close() {
      committing = false;
      consumer.commitSync();
      consumer.close();
    }
  }

  @Test
  void aGroupSharesPartitionsAndPassesThemOnWithNothingLostOrRepeated() throws Exception {
    try (Admin admin = kafka.admin("topics");
        Producer<byte[], byte[]> producer = producer(ProducerLimits.acknowledged())) {
      String topic = create(admin, "work", 6, Map.of());
      Set<String> seen = new HashSet<>();
      List<String> repeated = new ArrayList<>();
      int[] sent = {0};
      try (Member stays = new Member("stays", topic, seen, repeated)) {
        Member goes = new Member("goes", topic, seen, repeated);
        try {
          Await.until(
              () -> {
                send(producer, topic, "key-" + sent[0], "work-" + sent[0]++);
                Set<TopicPartition> both = new HashSet<>(stays.poll());
                both.addAll(goes.poll());
                assertThat(both).hasSize(6);
                assertThat(stays.consumer.assignment()).hasSize(3);
                assertThat(goes.consumer.assignment()).hasSize(3);
              });
        } finally {
          goes.close();
        }
        Await.until(
            () -> {
              send(producer, topic, "key-" + sent[0], "work-" + sent[0]++);
              assertThat(stays.poll()).hasSize(6);
            });
        Await.until(
            () -> {
              stays.poll();
              assertThat(seen)
                  .containsExactlyInAnyOrderElementsOf(
                      IntStream.range(0, sent[0]).mapToObj(i -> "work-" + i).toList());
            });
      }
      assertThat(repeated).isEmpty();
    }
  }

  @Test
  void aRecordOfSixteenMebibytesIsTakenAndALargerOneRefusedAtOnce() throws Exception {
    try (Admin admin = kafka.admin("topics");
        Producer<byte[], byte[]> producer = producer(ProducerLimits.acknowledged())) {
      String topic =
          create(admin, "large", 1, Map.of("max.message.bytes", Integer.toString(16 << 20)));
      byte[] large = new byte[(16 << 20) - 4096];
      new Random(7).nextBytes(large); // so that it can't be compressed
      assertThat(
              producer
                  .send(new ProducerRecord<>(topic, large))
                  .get(2 * WITHIN_S, TimeUnit.SECONDS)
                  .offset())
          .isZero();
      assertThatThrownBy(
              () ->
                  producer
                      .send(new ProducerRecord<>(topic, new byte[(16 << 20) + 1]))
                      .get(WITHIN_S, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(RecordTooLargeException.class);
    }
  }

  @Test
  void whatIsReadAndWhatIsWrittenBecomesVisibleTogetherOrNotAtAll() throws Exception {
    try (Admin admin = kafka.admin("topics")) {
      String out = create(admin, "out", 1, Map.of());
      TopicPartition input = new TopicPartition(create(admin, "in", 1, Map.of()), 0);
      try (Producer<byte[], byte[]> producer = kafka.transactionalProducer("tx", prefix + "tx");
          Consumer<byte[], byte[]> member = kafka.groupMember("tx", prefix + "owners")) {
        producer.initTransactions();
        producer.beginTransaction();
        var _ = producer.send(new ProducerRecord<>(out, bytes("dropped")));
        producer.sendOffsetsToTransaction(
            Map.of(input, new OffsetAndMetadata(5)), member.groupMetadata());
        producer.flush();
        producer.abortTransaction();
        assertThat(member.committed(Set.of(input)).get(input)).isNull();

        producer.beginTransaction();
        var _ = producer.send(new ProducerRecord<>(out, bytes("kept")));
        producer.sendOffsetsToTransaction(
            Map.of(input, new OffsetAndMetadata(7)), member.groupMetadata());
        producer.commitTransaction();
        Await.until(
            () ->
                assertThat(member.committed(Set.of(input)).get(input))
                    .extracting(OffsetAndMetadata::offset)
                    .isEqualTo(7L));
        assertThat(all(out)).containsExactly("kept");
      }
    }
  }

  @Test
  void anOwnerThatWasReplacedCanWriteNothingMore() throws Exception {
    try (Admin admin = kafka.admin("topics")) {
      String out = create(admin, "owned", 1, Map.of());
      try (Producer<byte[], byte[]> old = kafka.transactionalProducer("old", prefix + "owner");
          Producer<byte[], byte[]> successor =
              kafka.transactionalProducer("new", prefix + "owner")) {
        old.initTransactions();
        old.beginTransaction();
        old.send(new ProducerRecord<>(out, bytes("late"))).get(WITHIN_S, TimeUnit.SECONDS);
        successor.initTransactions();
        successor.beginTransaction();
        var _ = successor.send(new ProducerRecord<>(out, bytes("right")));
        successor.commitTransaction();
        assertThatThrownBy(old::commitTransaction)
            .isInstanceOfAny(ProducerFencedException.class, InvalidProducerEpochException.class);
        assertThat(all(out)).containsExactly("right");
      }
    }
  }
}
