package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.ClockSteps;
import dev.lasso.runtime.kafka.ConsumerLag;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.UnreadableRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the canonical chains of this process's share of {@code upstream-heads}: merges sightings and
 * writes {@code chain-events} (subscriptions page, "From providers to one canonical chain"). The
 * share follows Kafka's group protocol; whoever takes a partition over goes on after the last event
 * written.
 *
 * <p>One platform thread owns everything; fetched blocks and logs come back to it.
 */
final class CanonicalOwner implements Service {
  private static final Logger log = LoggerFactory.getLogger(CanonicalOwner.class);
  private static final Duration SESSION = Duration.ofSeconds(6);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long BETWEEN_TRIES_MS = 500;

  private final ProcessContext context;
  private final RoutingView view;
  private final PresenceView presence;
  private final ChainReader reader;
  private final StreamSettings settings;
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private final Map<Integer, OwnedPartition> partitions = new HashMap<>();
  private volatile @Nullable Consumer<byte[], byte[]> polling;
  private final CountDownLatch ending = new CountDownLatch(1);
  private volatile boolean running;
  private @Nullable Thread thread;
  private volatile List<String> assignment = List.of();

  /** By the monotonic clock: the process's own may go back. */
  private long tickedNs = System.nanoTime();

  CanonicalOwner(
      ProcessContext context,
      RoutingView view,
      PresenceView presence,
      ChainReader reader,
      StreamSettings settings) {
    this.settings = settings;
    this.context = context;
    this.view = view;
    this.presence = presence;
    this.reader = reader;
  }

  @Override
  public String name() {
    return "canonical chains";
  }

  @Override
  public void start() {
    running = true;
    thread = Thread.ofPlatform().daemon().name("canonical").start(this::run);
  }

  @Override
  public void stop() throws InterruptedException {
    running = false;
    ending.countDown();
    wake();
    if (thread != null) {
      thread.join(Duration.ofSeconds(3));
    }
  }

  /** The partitions owned now, readable. Any thread. */
  List<String> assignment() {
    return assignment;
  }

  /** Sightings behind, by topic. Any thread; asks Kafka nothing. */
  Map<String, Long> lag() {
    Consumer<byte[], byte[]> current = polling;
    return current == null
        ? Map.of()
        : ConsumerLag.of(current.metrics(), context.topics().settings().prefix());
  }

  private void noteAssignment() {
    assignment =
        partitions.keySet().stream()
            .sorted()
            .map(partition -> "upstream-heads-" + partition)
            .toList();
  }

  private void run() {
    while (running) {
      try {
        ownWithOneConsumer();
      } catch (KafkaException e) {
        log.atWarn()
            .addKeyValue("reason", e.getMessage())
            .log("canonical chains can't be followed at the moment");
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("following canonical chains failed, starting over");
      }
      pause();
    }
  }

  private void ownWithOneConsumer() {
    Consumer<byte[], byte[]> consumer =
        context
            .kafka()
            .groupMember("canonical", context.topics().settings().prefix() + "canonical", SESSION);
    try {
      own(consumer);
    } finally {
      releaseAll();
      consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
  }

  private void own(Consumer<byte[], byte[]> consumer) {
    consumer.subscribe(List.of(context.topics().upstreamHeads().name()), new Share());
    polling = consumer;
    ClockSteps clock = ClockSteps.fromNow();
    try {
      while (running && !clock.setBack()) {
        try {
          take(consumer.poll(POLL));
        } catch (WakeupException _) {
          // something was fetched
        }
        work(consumer);
      }
    } finally {
      polling = null;
    }
  }

  private void take(ConsumerRecords<byte[], byte[]> records) {
    Topic<ChainId, HeadSighting> topic = context.topics().upstreamHeads();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      OwnedPartition partition = partitions.get(record.partition());
      if (partition == null) {
        continue;
      }
      partition.read(record.offset());
      try {
        HeadSighting sighting = topic.read(record).value();
        if (sighting != null) {
          partition.seen(sighting);
        }
      } catch (UnreadableRecord e) {
        context.deadLetters().reject(record, "canonical", e);
      }
    }
  }

  private void work(Consumer<byte[], byte[]> consumer) {
    for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
      step.run();
    }
    long nowNs = System.nanoTime();
    if (nowNs - tickedNs >= TICK_NS) {
      tickedNs = nowNs;
      partitions.values().forEach(OwnedPartition::tick);
    }
    for (OwnedPartition partition : partitions.values()) {
      partition.write(consumer.groupMetadata());
    }
  }

  /** Runs a step on the owner's thread. Any thread. */
  private void later(Runnable step) {
    steps.add(step);
    wake();
  }

  private void wake() {
    Consumer<byte[], byte[]> current = polling;
    if (current != null) {
      current.wakeup();
    }
  }

  private void releaseAll() {
    partitions.values().forEach(OwnedPartition::release);
    partitions.clear();
    noteAssignment();
    steps.clear();
  }

  private void pause() {
    if (running) {
      try {
        if (ending.await(BETWEEN_TRIES_MS, TimeUnit.MILLISECONDS)) {
          running = false;
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        running = false;
      }
    }
  }

  /** Follows the group protocol; called on the owner's thread while it polls. */
  private final class Share implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      revoked.forEach(partition -> release(partition.partition()));
      noteAssignment();
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
      for (TopicPartition partition : assigned) {
        partitions.put(
            partition.partition(),
            OwnedPartition.takeOver(
                context, view, presence, reader, settings, CanonicalOwner.this::later, partition));
      }
      noteAssignment();
      if (!assigned.isEmpty()) {
        log.atInfo()
            .addKeyValue("partitions", partitions.keySet().stream().sorted().toList())
            .log("canonical chains taken over");
      }
    }

    private void release(int partition) {
      OwnedPartition owned = partitions.remove(partition);
      if (owned != null) {
        owned.release();
      }
    }
  }
}
