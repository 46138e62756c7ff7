package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.schemas.UnreadableRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the newest events of a partition of {@code chain-events}: the state in which its next owner
 * finds the chains.
 */
final class WrittenEvents {
  /** Enough for several busy chains. */
  private static final long WINDOWS = 16;

  private static final long WITHIN_NS = Duration.ofSeconds(30).toNanos();

  private WrittenEvents() {}

  /**
   * The history of every chain that has events among the newest ones.
   *
   * @param window blocks of a chain that are remembered
   * @throws KafkaException when they can't be read
   */
  static Map<ChainId, ChainHistory> of(ProcessContext context, int partition, int window) {
    TopicPartition output = new TopicPartition(context.topics().chainEvents().name(), partition);
    Map<ChainId, ChainHistory> histories = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer =
        context.kafka().reader("canonical-history-" + partition)) {
      consumer.assign(List.of(output));
      long end = consumer.endOffsets(List.of(output)).getOrDefault(output, 0L);
      long first = consumer.beginningOffsets(List.of(output)).getOrDefault(output, 0L);
      consumer.seek(output, Math.max(first, end - WINDOWS * window));
      long deadlineNs = System.nanoTime() + WITHIN_NS;
      while (consumer.position(output) < end) {
        if (System.nanoTime() > deadlineNs) {
          throw new KafkaException("events of " + output + " could not be read in time");
        }
        ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
        for (ConsumerRecord<byte[], byte[]> record : records) {
          add(context, record, window, histories);
        }
      }
    }
    return histories;
  }

  private static void add(
      ProcessContext context,
      ConsumerRecord<byte[], byte[]> record,
      int window,
      Map<ChainId, ChainHistory> histories) {
    try {
      ChainEvent event = context.topics().chainEvents().read(record).value();
      if (event != null) {
        histories.merge(
            event.chain(), ChainHistory.none(window).with(event), (known, _) -> known.with(event));
      }
    } catch (UnreadableRecord e) {
      context.deadLetters().reject(record, "canonical", e);
    }
  }
}
