package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Partitions of several topics read side by side and merged. Those of which enough lies ready are
 * paused, so that memory is bounded however long a partition is.
 */
final class MergedTopics implements RecordStream {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final long PAUSE_BYTES = 2 * 1024 * 1024;
  private static final Comparator<PartitionRead> ORDER =
      Comparator.comparingLong(PartitionRead::headMs)
          .thenComparing(read -> read.partition().topic())
          .thenComparingInt(read -> read.partition().partition());

  private final Consumer<byte[], byte[]> consumer;
  private final Notices notices;
  private final Map<TopicPartition, PartitionRead> reads = new HashMap<>();

  /** Partitions with a record ready. */
  private final PriorityQueue<PartitionRead> ready = new PriorityQueue<>(ORDER);

  /** Partitions with none ready, though more is to come. */
  private final Set<PartitionRead> waiting = new HashSet<>();

  private final Set<TopicPartition> paused = new HashSet<>();
  private final long length;
  private @Nullable PartitionRead taken;

  MergedTopics(Consumer<byte[], byte[]> consumer, List<PartitionRead> partitions, Notices notices) {
    this.consumer = consumer;
    this.notices = notices;
    List<PartitionRead> open = partitions.stream().filter(read -> !read.complete()).toList();
    this.length = Math.max(1, open.stream().mapToLong(PartitionRead::length).sum());
    consumer.assign(open.stream().map(PartitionRead::partition).toList());
    for (PartitionRead read : open) {
      consumer.seek(read.partition(), read.start());
      reads.put(read.partition(), read);
      waiting.add(read);
    }
  }

  @Override
  public @Nullable RawRecord next() {
    PartitionRead last = taken;
    if (last != null) {
      taken = null;
      place(last);
    }
    if (!waiting.isEmpty()) {
      fetch();
    }
    PartitionRead first = ready.poll();
    if (first == null) {
      return null;
    }
    taken = first;
    return first.take();
  }

  private void place(PartitionRead read) {
    if (read.peek() != null) {
      ready.add(read);
    } else if (!read.complete()) {
      waiting.add(read);
    }
  }

  /** Polls until every partition that is not at its end has a record ready. */
  private void fetch() {
    long quietSinceNs = System.nanoTime();
    while (!waiting.isEmpty()) {
      Set<TopicPartition> full = new HashSet<>();
      Set<TopicPartition> hungry = new HashSet<>();
      for (PartitionRead read : reads.values()) {
        boolean stop = read.complete() || read.fetchedBytes() > PAUSE_BYTES;
        (stop ? full : hungry).add(read.partition());
      }
      pause(full, hungry);
      ConsumerRecords<byte[], byte[]> records = poll();
      for (TopicPartition partition : records.partitions()) {
        PartitionRead read = reads.get(partition);
        if (read != null) {
          records.records(partition).forEach(read::fetched);
        }
      }
      boolean moved = !records.isEmpty();
      for (PartitionRead read : List.copyOf(waiting)) {
        moved |= settle(read);
      }
      if (moved) {
        quietSinceNs = System.nanoTime();
      } else if (System.nanoTime() - quietSinceNs > SILENCE.toNanos()) {
        throw new ReadFailed(
            "Kafka has not answered for " + SILENCE.toSeconds() + " s; read as far as it went");
      }
    }
  }

  /** Whether a partition without a record ready got one or came to its end. */
  private boolean settle(PartitionRead read) {
    read.movedTo(consumer.position(read.partition()));
    if (read.peek() == null && !read.complete()) {
      return false;
    }
    waiting.remove(read);
    if (read.peek() != null) {
      ready.add(read);
    }
    return true;
  }

  private void pause(Set<TopicPartition> full, Set<TopicPartition> hungry) {
    List<TopicPartition> toResume = new ArrayList<>(hungry);
    toResume.retainAll(paused);
    List<TopicPartition> toPause = new ArrayList<>(full);
    toPause.removeAll(paused);
    consumer.resume(toResume);
    consumer.pause(toPause);
    toResume.forEach(paused::remove);
    paused.addAll(toPause);
  }

  private ConsumerRecords<byte[], byte[]> poll() {
    try {
      return consumer.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(e.partitions());
      begins.forEach(
          (partition, begin) -> {
            notices.add(
                "records before offset " + begin + " of " + partition + " were deleted meanwhile");
            consumer.seek(partition, begin);
          });
      return ConsumerRecords.empty();
    }
  }

  @Override
  public double share() {
    long done = 0;
    for (PartitionRead read : reads.values()) {
      done += read.done();
    }
    return Math.min(1, (double) done / length);
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ofMillis(500)));
  }
}
