package dev.lasso.runtime.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Writes texts and reads them the way the tests of this package need it. */
final class KafkaTestClient {
  private KafkaTestClient() {}

  static KafkaConnection connection(String bootstrap, String prefix) {
    return new KafkaConnection(bootstrap, prefix, "test", Map.of());
  }

  static void write(KafkaConnection connection, String topic, String key, @Nullable String value)
      throws Exception {
    try (Producer<String, String> producer = producer(connection)) {
      producer
          .send(new ProducerRecord<>(connection.topic(topic), key, value))
          .get(30, TimeUnit.SECONDS);
    }
  }

  static Producer<String, String> producer(KafkaConnection connection) {
    return connection.producer(
        "writer", ProducerLimits.acknowledged(), new StringSerializer(), new StringSerializer());
  }

  /** {@code key=value}; a value beginning with "bad" can't be read. */
  static String decode(ConsumerRecord<byte[], byte[]> record) {
    String value =
        record.value() == null ? "none" : new String(record.value(), StandardCharsets.UTF_8);
    if (value.startsWith("bad")) {
      throw new IllegalArgumentException("not a good value");
    }
    return new String(record.key(), StandardCharsets.UTF_8) + "=" + value;
  }
}
