package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.schemas.UnreadableRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is written in a partition of {@code chain-events} when its next owner takes over: the state
 * in which it finds the chains. The newest events are read at once; those of a chain that has none
 * among them, because others of the partition are busier, when the chain is asked for. Belongs to
 * the owner's thread.
 */
final class WrittenEvents {
  private static final Logger log = LoggerFactory.getLogger(WrittenEvents.class);

  /** Enough for several busy chains. */
  private static final long WINDOWS = 16;

  private static final long WITHIN_NS = Duration.ofSeconds(30).toNanos();

  /** So long all chains of the process wait while the events of quiet ones are looked for. */
  private static final long LOOKING_BACK_WITHIN_NS = Duration.ofSeconds(10).toNanos();

  private final ProcessContext context;
  private final TopicPartition output;
  private final int window;
  private final long end;
  private final Deserializer<ChainId> keys;
  private final Map<ChainId, ChainHistory> histories = new HashMap<>();
  private long from;

  /** What is left of the time in which all chains of the partition may be looked for. */
  private long lookingBackNs = LOOKING_BACK_WITHIN_NS;

  private WrittenEvents(
      ProcessContext context, TopicPartition output, int window, long from, long end) {
    this.context = context;
    this.output = output;
    this.window = window;
    this.from = from;
    this.end = end;
    this.keys = context.topics().chainEvents().keySerde().deserializer();
  }

  /**
   * Reads the newest events.
   *
   * @param window blocks of a chain that are remembered
   * @throws KafkaException when they can't be read
   */
  static WrittenEvents of(ProcessContext context, int partition, int window) {
    TopicPartition output = new TopicPartition(context.topics().chainEvents().name(), partition);
    try (Consumer<byte[], byte[]> consumer = reader(context, output)) {
      long end = consumer.endOffsets(List.of(output)).getOrDefault(output, 0L);
      long from = Math.max(first(consumer, output), end - WINDOWS * window);
      WrittenEvents written = new WrittenEvents(context, output, window, from, end);
      long deadlineNs = System.nanoTime() + WITHIN_NS;
      if (!written.read(consumer, from, end, deadlineNs, _ -> true, written.histories)) {
        throw new KafkaException("events of " + output + " could not be read in time");
      }
      return written;
    }
  }

  private static Consumer<byte[], byte[]> reader(ProcessContext context, TopicPartition output) {
    Consumer<byte[], byte[]> consumer =
        context.kafka().reader("canonical-history-" + output.partition());
    consumer.assign(List.of(output));
    return consumer;
  }

  private static long first(Consumer<byte[], byte[]> consumer, TopicPartition output) {
    return consumer.beginningOffsets(List.of(output)).getOrDefault(output, 0L);
  }

  /**
   * The history of a chain. Where nothing is left of it, its sequence goes on above any that it can
   * have had: no event's sequence number is above its offset by more than one.
   *
   * @throws KafkaException when it can't be read
   */
  ChainHistory of(ChainId chain) {
    if (!histories.containsKey(chain) && lookingBackNs > 0) {
      long beganNs = System.nanoTime();
      lookBack(chain);
      lookingBackNs -= System.nanoTime() - beganNs;
    }
    return histories.computeIfAbsent(chain, _ -> ChainHistory.none(window).from(end));
  }

  /** Reads further back, more each time, until an event of the chain is found. */
  private void lookBack(ChainId chain) {
    long newest = from;
    try (Consumer<byte[], byte[]> consumer = reader(context, output)) {
      long first = first(consumer, output);
      long deadlineNs = System.nanoTime() + lookingBackNs;
      for (long step = WINDOWS * window; from > first; step *= 2) {
        long lower = Math.max(first, from - step);
        Map<ChainId, ChainHistory> older = new HashMap<>();
        if (!read(consumer, lower, from, deadlineNs, id -> !histories.containsKey(id), older)) {
          log.atWarn()
              .addKeyValue("chain", chain)
              .log("earlier events of a chain were not found in time, its stream begins anew");
          return;
        }
        from = lower;
        histories.putAll(older);
        if (histories.containsKey(chain)) {
          log.atInfo()
              .addKeyValue("chain", chain)
              .addKeyValue("records", newest - from)
              .log("events of a quiet chain were found further back");
          return;
        }
      }
    }
  }

  /**
   * Adds some chains' events between two offsets to their histories.
   *
   * @return whether they could be read in time
   */
  private boolean read(
      Consumer<byte[], byte[]> consumer,
      long lower,
      long upper,
      long deadlineNs,
      Predicate<ChainId> wanted,
      Map<ChainId, ChainHistory> into) {
    consumer.seek(output, lower);
    while (consumer.position(output) < upper) {
      if (System.nanoTime() > deadlineNs) {
        return false;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
        if (record.offset() < upper) {
          add(record, wanted, into);
        }
      }
    }
    return true;
  }

  private void add(
      ConsumerRecord<byte[], byte[]> record,
      Predicate<ChainId> wanted,
      Map<ChainId, ChainHistory> into) {
    try {
      if (!wanted.test(keys.deserialize(record.topic(), record.key()))) {
        return;
      }
      ChainEvent event = context.topics().chainEvents().read(record).value();
      if (event != null) {
        into.merge(
            event.chain(), ChainHistory.none(window).with(event), (known, _) -> known.with(event));
      }
    } catch (UnreadableRecord e) {
      context.deadLetters().reject(record, "canonical", e);
    }
  }
}
