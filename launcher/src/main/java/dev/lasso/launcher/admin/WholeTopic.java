package dev.lasso.launcher.admin;

import dev.lasso.runtime.kafka.KafkaConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads a topic from its beginning to the end that it has at the moment. */
final class WholeTopic {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long READ_WITHIN_NS = TimeUnit.SECONDS.toNanos(20);

  private WholeTopic() {}

  /**
   * Hands every record to {@code each}, those of one partition in order.
   *
   * @param purpose ends the client id
   * @throws TimeoutException when it could not be read in time
   */
  static void read(
      KafkaConnection kafka,
      String purpose,
      String topic,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each)
      throws TimeoutException {
    try (Consumer<byte[], byte[]> consumer = kafka.reader(purpose)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long deadlineNs = System.nanoTime() + READ_WITHIN_NS;
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        if (System.nanoTime() > deadlineNs) {
          throw new TimeoutException("topic " + topic + " could not be read in time");
        }
        consumer.poll(POLL).forEach(each);
      }
    }
  }
}
