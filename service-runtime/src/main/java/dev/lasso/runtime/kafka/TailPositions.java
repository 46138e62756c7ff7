package dev.lasso.runtime.kafka;

import dev.lasso.runtime.kafka.TopicProbe.Shape;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a tail has read in each partition, and in which incarnation of the topic. Outlives the
 * consumers. Belongs to the tail's thread.
 */
final class TailPositions {
  private final TailStart start;
  private final InstantSource clock;
  private final Map<String, Shape> topics = new HashMap<>();
  private final Map<TopicPartition, Long> next = new HashMap<>();

  TailPositions(TailStart start, InstantSource clock) {
    this.start = start;
    this.clock = clock;
  }

  /**
   * Takes over what the topics are now.
   *
   * @return the topics that are not those read before, although they have the same names; their
   *     positions are forgotten
   */
  List<String> adopt(Map<String, Shape> found) {
    List<String> replaced = new ArrayList<>();
    found.forEach(
        (topic, shape) -> {
          Shape before = topics.put(topic, shape);
          if (before == null) {
            return;
          }
          if (!before.id().equals(shape.id())) {
            next.keySet().removeIf(partition -> partition.topic().equals(topic));
            replaced.add(topic);
          }
          // all of a new topic, and what an old one was given more, is new wherever reading began
          partitionsOf(topic, shape).forEach(partition -> next.putIfAbsent(partition, 0L));
        });
    return replaced;
  }

  boolean areOf(Map<String, Shape> found) {
    return topics.equals(found);
  }

  /** Reads a topic again from its beginning. */
  void restart(String topic) {
    next.replaceAll((partition, offset) -> partition.topic().equals(topic) ? 0L : offset);
  }

  List<TopicPartition> partitions() {
    return topics.entrySet().stream()
        .flatMap(topic -> partitionsOf(topic.getKey(), topic.getValue()))
        .toList();
  }

  /**
   * Places a consumer, to which {@link #partitions} are assigned, where reading goes on. Blocks for
   * questions to the broker.
   */
  void seek(Consumer<?, ?> consumer) {
    List<TopicPartition> unseen =
        partitions().stream().filter(partition -> !next.containsKey(partition)).toList();
    if (!unseen.isEmpty()) {
      next.putAll(startOffsets(consumer, unseen));
    }
    Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions());
    first.forEach((partition, offset) -> next.merge(partition, offset, Math::max));
    next.forEach(consumer::seek);
  }

  /** Notes how far the consumer is. */
  Map<TopicPartition, Long> advance(Consumer<?, ?> consumer, Collection<TopicPartition> read) {
    Map<TopicPartition, Long> positions =
        read.stream().collect(Collectors.toMap(partition -> partition, consumer::position));
    next.putAll(positions);
    return positions;
  }

  void set(TopicPartition partition, long offset) {
    next.put(partition, offset);
  }

  long next(TopicPartition partition) {
    return next.getOrDefault(partition, 0L);
  }

  /** How many offsets lie between the positions and {@code ends}. */
  long behind(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .mapToLong(end -> Math.max(0, end.getValue() - next(end.getKey())))
        .sum();
  }

  private Map<TopicPartition, Long> startOffsets(
      Consumer<?, ?> consumer, List<TopicPartition> unseen) {
    return switch (start) {
      case TailStart.Beginning _ -> consumer.beginningOffsets(unseen);
      case TailStart.End _ -> consumer.endOffsets(unseen);
      case TailStart.Recent(Duration age) -> {
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(unseen));
        offsets.putAll(youngerThan(age, consumer, unseen));
        yield offsets;
      }
      case TailStart.Refreshed(Duration span, Set<String> refreshed) -> {
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.beginningOffsets(unseen));
        offsets.putAll(
            youngerThan(
                span,
                consumer,
                unseen.stream().filter(each -> refreshed.contains(each.topic())).toList()));
        yield offsets;
      }
    };
  }

  /** The first record of each partition that is not older; nothing where there is none. */
  private Map<TopicPartition, Long> youngerThan(
      Duration age, Consumer<?, ?> consumer, List<TopicPartition> partitions) {
    long since = clock.instant().minus(age).toEpochMilli();
    Map<TopicPartition, Long> offsets = new HashMap<>();
    consumer
        .offsetsForTimes(
            partitions.stream().collect(Collectors.toMap(partition -> partition, _ -> since)))
        .forEach(
            (partition, at) -> {
              if (at != null) {
                offsets.put(partition, at.offset());
              }
            });
    return offsets;
  }

  private static Stream<TopicPartition> partitionsOf(String topic, Shape shape) {
    return IntStream.range(0, shape.partitions())
        .mapToObj(partition -> new TopicPartition(topic, partition));
  }
}
