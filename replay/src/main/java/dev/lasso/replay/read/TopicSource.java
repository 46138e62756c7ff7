package dev.lasso.replay.read;

import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.schemas.Cleanup;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The topics in Kafka, as they stand when reading begins. */
public final class TopicSource implements RecordSource {
  /**
   * Records of a partition may stand after younger ones by this much: a request is recorded when it
   * ends, under the time when it was decided.
   */
  static final long DISORDER_MS = 120_000;

  private final KafkaConnection kafka;
  private final TopicCatalogue topics;
  private final InstantSource clock;

  /**
   * The topics of a cluster.
   *
   * @param clock tells how far back history reaches
   */
  public TopicSource(KafkaConnection kafka, TopicCatalogue topics, InstantSource clock) {
    this.kafka = kafka;
    this.topics = topics;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "topics at " + kafka.bootstrap();
  }

  @Override
  public @Nullable Period period() {
    return null;
  }

  /** Reads what is committed; the topics' ends are those of this moment. */
  @Override
  public RecordStream open(Map<TopicName, Span> spans, Notices notices) {
    Consumer<byte[], byte[]> consumer = kafka.reader("replay");
    try {
      List<PartitionRead> partitions = new ArrayList<>();
      for (TopicSpec spec : topics.specs()) {
        Span span = spans.get(spec.id());
        if (span != null) {
          partitions.addAll(partitions(consumer, spec, span, notices));
        }
      }
      return new MergedTopics(consumer, partitions, notices);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  private List<PartitionRead> partitions(
      Consumer<byte[], byte[]> consumer, TopicSpec spec, Span span, Notices notices) {
    List<PartitionInfo> found = consumer.partitionsFor(spec.name());
    if (found == null || found.isEmpty()) {
      notices.add("topic " + spec.name() + " does not exist");
      return List.of();
    }
    List<TopicPartition> partitions =
        found.stream().map(info -> new TopicPartition(info.topic(), info.partition())).toList();
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> starts =
        offsetsAt(consumer, partitions, span.fromMs(), ends, begins, begins);
    Map<TopicPartition, Long> stops =
        offsetsAt(consumer, partitions, later(span.toMs(), DISORDER_MS), ends, begins, ends);
    List<PartitionRead> reads = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      long begin = Objects.requireNonNull(begins.get(partition));
      long start =
          span.fromOffsets()
              .getOrDefault(partition.partition(), Objects.requireNonNull(starts.get(partition)));
      long end =
          Math.min(
              span.toOffsets()
                  .getOrDefault(
                      partition.partition(), Objects.requireNonNull(stops.get(partition))),
              Objects.requireNonNull(ends.get(partition)));
      reads.add(new PartitionRead(spec.id(), partition, span, Math.max(start, begin), end));
    }
    tellWhatIsGone(consumer, spec, span, begins, notices);
    return reads;
  }

  /**
   * The first offset of each partition whose record is not older than a moment.
   *
   * @param unknown taken where the broker can't tell
   */
  private static Map<TopicPartition, Long> offsetsAt(
      Consumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions,
      long atMs,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> unknown) {
    if (atMs <= 0) {
      return begins;
    }
    Map<TopicPartition, Long> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(partition, atMs));
    Map<TopicPartition, OffsetAndTimestamp> answer = consumer.offsetsForTimes(wanted);
    Set<TopicPartition> blind = notFoundByTime(consumer, answer, ends, begins);
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp found = answer.get(partition);
      Map<TopicPartition, Long> otherwise = blind.contains(partition) ? unknown : ends;
      offsets.put(
          partition,
          found == null ? Objects.requireNonNull(otherwise.get(partition)) : found.offset());
    }
    return offsets;
  }

  /**
   * Partitions that hold records of which none can be found by its time, as brokers have it where
   * records were deleted in the middle of a segment. They are read whole.
   */
  private static Set<TopicPartition> notFoundByTime(
      Consumer<byte[], byte[]> consumer,
      Map<TopicPartition, OffsetAndTimestamp> answer,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, Long> begins) {
    Map<TopicPartition, Long> any = new HashMap<>();
    answer.forEach(
        (partition, found) -> {
          long begin = Objects.requireNonNull(begins.get(partition));
          if (found == null && begin > 0 && begin < Objects.requireNonNull(ends.get(partition))) {
            any.put(partition, 0L);
          }
        });
    Set<TopicPartition> blind = new HashSet<>();
    consumer
        .offsetsForTimes(any)
        .forEach(
            (partition, found) -> {
              if (found == null) {
                blind.add(partition);
              }
            });
    return blind;
  }

  private static long later(long atMs, long byMs) {
    return atMs > Long.MAX_VALUE - byMs ? Long.MAX_VALUE : atMs + byMs;
  }

  private void tellWhatIsGone(
      Consumer<byte[], byte[]> consumer,
      TopicSpec spec,
      Span span,
      Map<TopicPartition, Long> begins,
      Notices notices) {
    if (spec.cleanup() == Cleanup.COMPACT_WITH_HISTORY) {
      Instant reach = clock.instant().minus(topics.settings().historyWindow());
      if (span.toMs() < reach.toEpochMilli()) {
        notices.add(
            "topic "
                + spec.name()
                + " keeps every version only since "
                + reach
                + ": older state may be incomplete");
      }
    } else if (spec.cleanup() == Cleanup.DELETE && span.fromMs() != Long.MIN_VALUE) {
      Map<TopicPartition, Long> cut = new HashMap<>();
      begins.forEach(
          (partition, begin) -> {
            if (begin > 0) {
              cut.put(partition, 0L);
            }
          });
      Map<TopicPartition, Long> ends = consumer.endOffsets(cut.keySet());
      Map<TopicPartition, OffsetAndTimestamp> oldest = new HashMap<>();
      consumer
          .offsetsForTimes(cut)
          .forEach(
              (partition, found) -> {
                long begin = Objects.requireNonNull(begins.get(partition));
                if (found == null && begin < Objects.requireNonNull(ends.get(partition))) {
                  notices.add(
                      "records before offset " + begin + " of " + partition + " are deleted");
                } else {
                  oldest.put(partition, found);
                }
              });
      if (!oldest.isEmpty()) {
        tellWhereItBegins(spec, span, oldest, notices);
      }
    }
  }

  /** Tells of a topic of whose period the beginning was deleted, in the worst partition. */
  private static void tellWhereItBegins(
      TopicSpec spec, Span span, Map<TopicPartition, OffsetAndTimestamp> oldest, Notices notices) {
    long beginMs = Long.MIN_VALUE;
    for (OffsetAndTimestamp left : oldest.values()) {
      beginMs = Math.max(beginMs, left == null ? Long.MAX_VALUE : left.timestamp());
    }
    if (beginMs > span.fromMs()) {
      notices.add(
          "topic "
              + spec.name()
              + (beginMs > span.toMs()
                  ? " has nothing left of this period in some partitions: it was deleted"
                  : " begins at "
                      + Instant.ofEpochMilli(beginMs)
                      + " in some partitions: what was before is deleted"));
    }
  }
}
