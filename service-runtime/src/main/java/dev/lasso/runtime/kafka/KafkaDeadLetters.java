package dev.lasso.runtime.kafka;

import dev.lasso.runtime.RuntimeMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts unreadable records, logs each once with topic, partition and offset, and copies them to
 * the topic {@code dead-letters} if that can be done: key {@code topic|partition|offset}, value the
 * bytes as they were, headers {@code key}, {@code reader}, {@code error}.
 *
 * <p>Copies are made by a thread of its own from a bounded queue; when it is full, or Kafka is
 * away, the copy is dropped and the count remains. A record that is read again after a restart is
 * copied again.
 */
public final class KafkaDeadLetters implements DeadLetters, AutoCloseable {
  /** The topic's name in the catalogue, to stand behind the prefix. */
  public static final String TOPIC = "dead-letters";

  private static final Logger log = LoggerFactory.getLogger(KafkaDeadLetters.class);
  private static final int QUEUED = 256;
  private static final int REMEMBERED = 10_000;

  private final KafkaConnection connection;
  private final MeterRegistry meters;
  private final BlockingQueue<ProducerRecord<String, byte[]>> copies =
      new ArrayBlockingQueue<>(QUEUED);
  private final Set<String> logged =
      Collections.synchronizedSet(Collections.newSetFromMap(new Latest()));
  private final Thread copier;

  private KafkaDeadLetters(KafkaConnection connection, MeterRegistry meters) {
    this.connection = connection;
    this.meters = meters;
    this.copier = Thread.ofPlatform().daemon().name("dead-letters").unstarted(this::copy);
  }

  /** Starts taking records. */
  public static KafkaDeadLetters start(KafkaConnection connection, MeterRegistry meters) {
    KafkaDeadLetters letters = new KafkaDeadLetters(connection, meters);
    letters.copier.start();
    return letters;
  }

  @Override
  public void reject(ConsumerRecord<byte[], byte[]> record, String reader, Throwable why) {
    RuntimeMeters.DEAD_LETTERS.counter(meters, record.topic(), reader).increment();
    String place = record.topic() + "|" + record.partition() + "|" + record.offset();
    if (!logged.add(place + "|" + reader)) {
      return;
    }
    log.atWarn()
        .addKeyValue("topic", record.topic())
        .addKeyValue("partition", record.partition())
        .addKeyValue("offset", record.offset())
        .addKeyValue("reader", reader)
        .addKeyValue("errorClass", why.getClass().getSimpleName())
        .log("unreadable record skipped");
    if (!record.topic().equals(connection.topic(TOPIC))
        && !copies.offer(copyOf(record, place, reader, why))) {
      log.atDebug().addKeyValue("topic", record.topic()).log("dead letter not copied, queue full");
    }
  }

  /** Stops copying; what is still queued is dropped. */
  @Override
  public void close() {
    copier.interrupt();
  }

  private ProducerRecord<String, byte[]> copyOf(
      ConsumerRecord<byte[], byte[]> record, String place, String reader, Throwable why) {
    ProducerRecord<String, byte[]> copy =
        new ProducerRecord<>(connection.topic(TOPIC), place, record.value());
    if (record.key() != null) {
      copy.headers().add("key", record.key());
    }
    copy.headers().add("reader", reader.getBytes(StandardCharsets.UTF_8));
    copy.headers().add("error", why.getClass().getName().getBytes(StandardCharsets.UTF_8));
    return copy;
  }

  private void copy() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        copyFrom(copies.take());
      } catch (InterruptedException _) {
        return;
      } catch (KafkaException e) {
        log.atDebug().setCause(e).log("dead letters not copied");
      }
    }
  }

  /**
   * Unreadable records are rare: a producer is opened for a bunch of them and closed when none came
   * for a while.
   */
  private void copyFrom(ProducerRecord<String, byte[]> first) throws InterruptedException {
    try (Producer<String, byte[]> producer =
        connection.producer(
            TOPIC,
            ProducerLimits.acknowledged(),
            new StringSerializer(),
            new ByteArraySerializer())) {
      @Nullable ProducerRecord<String, byte[]> next = first;
      while (next != null) {
        var _ = producer.send(next, KafkaDeadLetters::noteFailure);
        next = copies.poll(5, TimeUnit.SECONDS);
      }
    }
  }

  private static void noteFailure(Object metadata, @Nullable Exception failure) {
    if (failure != null) {
      log.atDebug().setCause(failure).log("dead letter not copied");
    }
  }

  private static final class Latest extends LinkedHashMap<String, Boolean> {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > REMEMBERED;
    }
  }
}
