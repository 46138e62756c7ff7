package dev.lasso.schemas;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a topic must be set up in Kafka.
 *
 * @param id its short name
 * @param name its name in Kafka, with the prefix
 * @param partitions number of partitions
 * @param replicationFactor copies of each partition
 * @param cleanup how long records are kept
 * @param configs topic settings that differ from the broker's defaults, as Kafka names and writes
 *     them
 */
public record TopicSpec(
    TopicName id,
    String name,
    int partitions,
    short replicationFactor,
    Cleanup cleanup,
    SortedMap<String, String> configs) {
  public TopicSpec {
    configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
  }

  static TopicSpec of(TopicName topic, Cleanup cleanup, TopicSettings settings) {
    SortedMap<String, String> configs = new TreeMap<>();
    configs.put("compression.type", "zstd");
    configs.put("max.message.bytes", Integer.toString(settings.maxMessageBytes()));
    configs.putAll(cleanupConfigs(topic, cleanup, settings));
    return new TopicSpec(
        topic,
        settings.prefix() + topic.word(),
        settings.partitions().getOrDefault(topic, 1),
        settings.replicationFactor(),
        cleanup,
        configs);
  }

  private static Map<String, String> cleanupConfigs(
      TopicName topic, Cleanup cleanup, TopicSettings settings) {
    return switch (cleanup) {
      case DELETE -> {
        long retentionMs = settings.retentionOf(topic).toMillis();
        yield Map.of(
            "cleanup.policy", "delete",
            "retention.ms", Long.toString(retentionMs),
            // a segment goes as a whole: without a bound a quiet topic would keep a week
            "segment.ms", Long.toString(Math.max(retentionMs / 8, 600_000)));
      }
      case COMPACT -> Map.of("cleanup.policy", "compact", "segment.ms", "86400000");
      case COMPACT_WITH_HISTORY -> {
        String windowMs = Long.toString(settings.historyWindow().toMillis());
        yield Map.of(
            "cleanup.policy",
            "compact",
            "min.compaction.lag.ms",
            windowMs,
            // whoever rebuilds a past moment must see what had ended by then
            "delete.retention.ms",
            windowMs,
            "segment.ms",
            "86400000");
      }
    };
  }
}
