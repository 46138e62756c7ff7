package dev.lasso.replay.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.replay.decide.Histories;
import dev.lasso.replay.decide.RecordedTopics;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BrokerExtension.class)
class TopicSourceIT {
  @Test
  void readsWhatIsCommittedInOrderWithTombstonesAndWithoutTransactionMarkers(TestBroker broker) {
    RecordedTopics history = Histories.random(31, 300);
    TopicCatalogue topics = topics(broker, "committed");
    KafkaConnection kafka = connection(broker);
    write(history, topics, kafka);
    Recording recording = recording(kafka, topics);
    List<RawRecord> read = new ArrayList<>();

    recording.readRaw(
        Recording.spans(List.of(TopicName.values()), Span.until(Long.MAX_VALUE)), read::add);

    Map<TopicName, Long> expected = new EnumMap<>(TopicName.class);
    history.records().forEach(record -> expected.merge(record.topic(), 1L, Long::sum));
    Map<TopicName, Long> counts = new EnumMap<>(TopicName.class);
    Map<String, Long> offsets = new HashMap<>();
    for (RawRecord record : read) {
      counts.merge(record.topic(), 1L, Long::sum);
      Long before = offsets.put(record.topic() + "-" + record.partition(), record.offset());
      assertThat(before == null || before < record.offset()).as("%s in order", record).isTrue();
    }
    assertThat(counts).isEqualTo(expected);
    assertThat(read).anyMatch(record -> record.value() == null);
    assertThat(recording.notices().texts()).isEmpty();
  }

  @Test
  void readsOnWhereRecordsWereDeletedInTheMiddleOfASegmentAndSaysSo(TestBroker broker)
      throws Exception {
    RecordedTopics history = Histories.random(32, 300);
    TopicCatalogue topics = topics(broker, "deleted");
    KafkaConnection kafka = connection(broker);
    write(history, topics, kafka);
    String name = topics.routingDecisions().spec().name();
    RawRecord kept =
        history.records().stream()
            .filter(record -> record.topic() == TopicName.ROUTING_DECISIONS)
            .skip(5)
            .findFirst()
            .orElseThrow();
    try (Admin admin = kafka.admin("test")) {
      TopicPartition partition = new TopicPartition(name, kept.partition());
      long end =
          Objects.requireNonNull(
                  admin
                      .listOffsets(Map.of(partition, OffsetSpec.latest()))
                      .all()
                      .get()
                      .get(partition))
              .offset();
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(end / 2))).all().get();
    }
    Recording whole = recording(kafka, topics);
    List<RawRecord> read = new ArrayList<>();

    whole.readRaw(
        Map.of(TopicName.ROUTING_DECISIONS, Span.between(Histories.START_MS, Long.MAX_VALUE)),
        read::add);
    assertThat(read).isNotEmpty();
    assertThat(whole.notices().texts())
        .singleElement()
        .asString()
        .startsWith("records before offset ")
        .endsWith(" of " + name + "-" + kept.partition() + " are deleted");
  }

  /** Topics of their own for each test. */
  private static TopicCatalogue topics(TestBroker broker, String name) {
    TopicCatalogue topics =
        new TopicCatalogue(TopicSettings.defaults().withPrefix(broker.topicPrefix() + name + "."));
    broker.create(
        topics.specs().stream()
            // what the histories tell of is long ago
            .map(
                spec ->
                    new NewTopic(spec.name(), spec.partitions(), (short) 1)
                        .configs(Map.of("retention.ms", "-1")))
            .toList());
    return topics;
  }

  private static KafkaConnection connection(TestBroker broker) {
    return new KafkaConnection(broker.bootstrapServers(), broker.topicPrefix(), "test", Map.of());
  }

  private static Recording recording(KafkaConnection kafka, TopicCatalogue topics) {
    return new Recording(
        new TopicSource(kafka, topics, InstantSource.system()), topics, Progress.SILENT);
  }

  /** Every record in a transaction; now and then one that is aborted. */
  private static void write(RecordedTopics history, TopicCatalogue topics, KafkaConnection kafka) {
    try (Producer<byte[], byte[]> producer = kafka.transactionalProducer("test", "replay-test")) {
      producer.initTransactions();
      int number = 0;
      for (RawRecord record : history.records()) {
        if (number % 40 == 0) {
          producer.beginTransaction();
        }
        send(producer, record, topics);
        if (++number % 40 == 0) {
          producer.commitTransaction();
          producer.beginTransaction();
          send(producer, record, topics);
          producer.abortTransaction();
        }
      }
      if (number % 40 != 0) {
        producer.commitTransaction();
      }
    }
  }

  private static void send(
      Producer<byte[], byte[]> producer, RawRecord record, TopicCatalogue topics) {
    var _ =
        producer.send(
            new ProducerRecord<>(
                topics.settings().prefix() + record.topic().word(),
                record.partition(),
                record.atMs(),
                record.key(),
                record.value()));
  }
}
