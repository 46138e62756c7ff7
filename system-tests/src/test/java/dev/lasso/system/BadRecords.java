package dev.lasso.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Puts records into topics that nobody can read, and finds them again among the dead letters. */
final class BadRecords {
  private static final byte[] NO_KEY_OF_OURS = "no key of ours".getBytes(UTF_8);
  private static final byte[] NO_VALUE_OF_OURS = "no value of ours".getBytes(UTF_8);

  /** Single-object encoding with the fingerprint of no schema. */
  private static final byte[] UNKNOWN_SCHEMA = {(byte) 0xc3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 7};

  private final String kafka;

  BadRecords(String kafka) {
    this.kafka = kafka;
  }

  /**
   * Puts several into every partition of a topic: bytes that are no value, an empty value, a value
   * of an unknown schema and, where the topic has a record, half of its value under its key and its
   * value under another.
   *
   * @return where each lies, {@code topic|partition|offset}
   */
  Set<String> send(String topic) throws InterruptedException, ExecutionException, TimeoutException {
    ConsumerRecord<byte[], byte[]> good =
        read(topic).stream()
            .filter(record -> record.value() != null && record.value().length > 1)
            .findFirst()
            .orElse(null);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      int partitions = producer.partitionsFor(topic).size();
      for (int partition = 0; partition < partitions; partition++) {
        for (ProducerRecord<byte[], byte[]> bad : kinds(topic, partition, good)) {
          sent.add(producer.send(bad));
        }
      }
      Set<String> places = new HashSet<>();
      for (Future<RecordMetadata> one : sent) {
        RecordMetadata at = one.get(60, TimeUnit.SECONDS);
        places.add(at.topic() + "|" + at.partition() + "|" + at.offset());
      }
      return places;
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> kinds(
      String topic, int partition, @Nullable ConsumerRecord<byte[], byte[]> good) {
    List<ProducerRecord<byte[], byte[]>> kinds = new ArrayList<>();
    for (byte[] value : List.of(NO_VALUE_OF_OURS, new byte[0], UNKNOWN_SCHEMA)) {
      kinds.add(new ProducerRecord<>(topic, partition, NO_KEY_OF_OURS, value));
    }
    if (good != null) {
      byte[] half = Arrays.copyOf(good.value(), good.value().length / 2);
      kinds.add(new ProducerRecord<>(topic, partition, good.key(), half));
      kinds.add(new ProducerRecord<>(topic, partition, NO_KEY_OF_OURS, good.value()));
    }
    return kinds;
  }

  /** Where all records that were kept aside came from, {@code topic|partition|offset}. */
  Set<String> deadLetters() {
    Set<String> places = new HashSet<>();
    read("lasso.dead-letters").forEach(letter -> places.add(new String(letter.key(), UTF_8)));
    return places;
  }

  /** All records of a topic that have a key. */
  private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            new HashMap<>(Map.of("bootstrap.servers", kafka)),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          if (record.key() != null) {
            records.add(record);
          }
        }
      }
      return records;
    }
  }
}
