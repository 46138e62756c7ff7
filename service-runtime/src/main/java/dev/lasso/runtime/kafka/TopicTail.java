package dev.lasso.runtime.kafka;

import dev.lasso.runtime.Condition;
import dev.lasso.runtime.ReadinessSource;
import dev.lasso.runtime.RuntimeMeters;
import dev.lasso.runtime.kafka.TopicProbe.Answer;
import dev.lasso.runtime.kafka.TopicProbe.Shape;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a view of some topics current: reads all their partitions without a group, first what is
 * there, then what comes, and hands it on in batches. It outlives the broker: when Kafka is away at
 * the start it waits and says so, when it goes away later the view keeps what it has, and reading
 * goes on where it stopped. A topic that was deleted and created anew is read from its beginning.
 *
 * <p>One platform thread owns the consumer and calls the handler; status and readiness may be asked
 * from any thread.
 */
public final class TopicTail<E> implements ReadinessSource, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TopicTail.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
  private static final long PROBE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

  private final KafkaConnection connection;
  private final TailSpec<E> spec;
  private final DeadLetters deadLetters;
  private final InstantSource clock;
  private final Counter recordsRead;
  private final TailPositions positions;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();
  private volatile TailStatus status = new TailStatus.Waiting("not started");
  private volatile @Nullable Consumer<byte[], byte[]> polling;

  private TopicTail(
      KafkaConnection connection,
      TailSpec<E> spec,
      DeadLetters deadLetters,
      MeterRegistry meters,
      InstantSource clock) {
    this.connection = connection;
    this.spec = spec;
    this.deadLetters = deadLetters;
    this.clock = clock;
    this.recordsRead = RuntimeMeters.VIEW_RECORDS.counter(meters, spec.name());
    this.positions = new TailPositions(spec.start(), clock);
    this.thread = Thread.ofPlatform().daemon().name("tail-" + spec.name()).unstarted(this::run);
    RuntimeMeters.VIEW_CURRENT.gauge(
        meters, this, tail -> tail.status() instanceof TailStatus.Current ? 1 : 0, spec.name());
  }

  /** Starts reading; returns at once, whether Kafka is there or not. */
  public static <E> TopicTail<E> start(
      KafkaConnection connection,
      TailSpec<E> spec,
      DeadLetters deadLetters,
      MeterRegistry meters,
      InstantSource clock) {
    TopicTail<E> tail = new TopicTail<>(connection, spec, deadLetters, meters, clock);
    tail.thread.start();
    return tail;
  }

  @Override
  public String name() {
    return spec.name();
  }

  /** How far the tail has come. */
  public TailStatus status() {
    return status;
  }

  /**
   * Completes once everything that was there at the start has been handed to the handler, on the
   * tail's thread; fails when the tail is closed before.
   */
  public CompletableFuture<Void> caughtUp() {
    return caughtUp.copy();
  }

  @Override
  public Condition condition() {
    return switch (status) {
      case TailStatus.Waiting(String reason) -> Condition.notReady(reason);
      case TailStatus.CatchingUp(long behind) ->
          caughtUp.isDone()
              ? Condition.degraded("catching up, " + behind + " records behind")
              : Condition.notReady("reading, " + behind + " records to go");
      case TailStatus.Current _ -> Condition.ready();
      case TailStatus.Degraded(String reason, long sinceMs) ->
          Condition.degraded(reason + " since " + Instant.ofEpochMilli(sinceMs));
    };
  }

  /** Stops reading and waits up to two seconds for a batch that is being handled. */
  @Override
  public void close() {
    stopping.countDown();
    Consumer<byte[], byte[]> consumer = polling;
    if (consumer != null) {
      consumer.wakeup();
    }
    try {
      thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    caughtUp.cancel(false);
  }

  private void run() {
    try (TopicProbe probe = new TopicProbe(connection, spec.name(), spec.topics())) {
      while (isRunning()) {
        try {
          readOn(probe);
        } catch (WakeupException | InterruptException _) {
          // close() wants the loop to look
        } catch (KafkaException e) {
          disrupted(connection.unreachable(e));
          pause();
        } catch (RuntimeException e) {
          log.atError()
              .setCause(e)
              .addKeyValue("view", spec.name())
              .log("view reader failed, starting over");
          disrupted("failed: " + e);
          pause();
        }
      }
    }
  }

  /** Reads with one consumer until topics or clock change or Kafka makes trouble. */
  private void readOn(TopicProbe probe) {
    Map<String, Shape> topics = awaitTopics(probe);
    if (topics == null) {
      return;
    }
    for (String topic : positions.adopt(topics)) {
      restarted(topic, "created anew");
    }
    Consumer<byte[], byte[]> consumer = connection.reader(spec.name());
    polling = consumer;
    try {
      consumer.assign(positions.partitions());
      positions.seek(consumer);
      follow(consumer, probe);
    } finally {
      polling = null;
      KafkaConnection.closeQuickly(consumer);
    }
  }

  private void follow(Consumer<byte[], byte[]> consumer, TopicProbe probe) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(positions.partitions());
    boolean catchingUp = true;
    long probedNs = System.nanoTime();
    CompletableFuture<Answer> asked = null;
    boolean quietSinceAsked = true;
    ClockSteps steps = ClockSteps.fromNow();
    while (isRunning() && !steps.setBack()) {
      if (catchingUp) {
        catchingUp = !caughtUpWith(ends);
      }
      quietSinceAsked &= !pollOnce(consumer);
      if (asked == null && System.nanoTime() - probedNs >= PROBE_INTERVAL_NS) {
        asked = probe.ask();
        probedNs = System.nanoTime();
        quietSinceAsked = true;
      } else if (asked != null && asked.isDone()) {
        switch (asked.join()) {
          case Answer.Present(var topics) when !positions.areOf(topics) -> {
            return;
          }
          case Answer.Present _ -> {
            if (status instanceof TailStatus.Degraded) {
              ends = consumer.endOffsets(positions.partitions());
              catchingUp = true;
            }
          }
          case Answer.Missing missing -> {
            disrupted(missing.reason());
            return;
          }
          case Answer.Unreachable(String reason) -> {
            if (quietSinceAsked) {
              disrupted(reason);
            }
          }
        }
        asked = null;
      }
    }
  }

  private boolean pollOnce(Consumer<byte[], byte[]> consumer) {
    try {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      if (records.partitions().isEmpty()) {
        return false;
      }
      deliver(records, positions.advance(consumer, records.partitions()));
      return true;
    } catch (OffsetOutOfRangeException e) {
      reposition(consumer, e.offsetOutOfRangePartitions().keySet());
      return true;
    }
  }

  private void deliver(
      ConsumerRecords<byte[], byte[]> records, Map<TopicPartition, Long> nextOffsets) {
    List<TailRecord<E>> decoded = new ArrayList<>(records.count());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        decoded.add(
            new TailRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                spec.decoder().decode(record)));
      } catch (Exception e) {
        deadLetters.reject(record, spec.name(), e);
      }
    }
    recordsRead.increment(records.count());
    try {
      spec.handler().apply(new TailBatch<>(decoded, nextOffsets));
    } catch (RuntimeException e) {
      log.atError()
          .setCause(e)
          .addKeyValue("view", spec.name())
          .addKeyValue("nextOffsets", nextOffsets)
          .log("view failed to take a batch");
    }
  }

  /** Retention may have passed the position, or the log may have been cut below it. */
  private void reposition(Consumer<byte[], byte[]> consumer, Iterable<TopicPartition> outOfRange) {
    Map<String, Boolean> cut = new TreeMap<>();
    for (TopicPartition partition : outOfRange) {
      long first = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
      if (positions.next(partition) < first) {
        log.atWarn()
            .addKeyValue("view", spec.name())
            .addKeyValue("topic", partition.topic())
            .addKeyValue("partition", partition.partition())
            .addKeyValue("missedRecords", first - positions.next(partition))
            .log("records expired before they were read");
        positions.set(partition, first);
      } else {
        cut.put(partition.topic(), true);
      }
    }
    for (String topic : cut.keySet()) {
      positions.restart(topic);
      restarted(topic, "cut");
    }
    positions.seek(consumer);
  }

  private void restarted(String topic, String why) {
    log.atWarn()
        .addKeyValue("view", spec.name())
        .addKeyValue("topic", topic)
        .addKeyValue("reason", why)
        .log("topic is read again from its beginning");
    spec.handler().restarted(topic);
  }

  private boolean caughtUpWith(Map<TopicPartition, Long> ends) {
    long behind = positions.behind(ends);
    if (behind > 0) {
      status = new TailStatus.CatchingUp(behind);
      return false;
    }
    if (!(status instanceof TailStatus.Current)) {
      status = new TailStatus.Current();
      log.atInfo().addKeyValue("view", spec.name()).log("view is current");
    }
    caughtUp.complete(null);
    return true;
  }

  private @Nullable Map<String, Shape> awaitTopics(TopicProbe probe) {
    while (isRunning()) {
      switch (await(probe.ask())) {
        case Answer.Present(var topics) -> {
          return topics;
        }
        case Answer.Missing missing -> disrupted(missing.reason());
        case Answer.Unreachable(String reason) -> disrupted(reason);
        case null -> {
          return null;
        }
      }
      pause();
    }
    return null;
  }

  private @Nullable Answer await(CompletableFuture<Answer> asked) {
    while (isRunning()) {
      if (asked.isDone()) {
        return asked.join();
      }
      try {
        if (stopping.await(10, TimeUnit.MILLISECONDS)) {
          return null;
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
    return null;
  }

  private void disrupted(String reason) {
    TailStatus before = status;
    if (!caughtUp.isDone()) {
      status = new TailStatus.Waiting(reason);
    } else if (before instanceof TailStatus.Degraded(_, long sinceMs)) {
      status = new TailStatus.Degraded(reason, sinceMs);
    } else {
      status = new TailStatus.Degraded(reason, clock.millis());
    }
    if (!status.equals(before)) {
      log.atWarn()
          .addKeyValue("view", spec.name())
          .addKeyValue("reason", reason)
          .log("view can't be read");
    }
  }

  private void pause() {
    try {
      stopping.await(BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isRunning() {
    return stopping.getCount() > 0 && !Thread.currentThread().isInterrupted();
  }
}
