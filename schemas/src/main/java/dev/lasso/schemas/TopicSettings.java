package dev.lasso.schemas;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What an operator may choose about topics. Every process of a fleet must use the same settings.
 *
 * @param prefix put in front of every topic's short name; up to 64 of letters, digits, '.', '_' and
 *     '-', may be empty
 * @param replicationFactor copies of each partition, 1 or more
 * @param maxMessageBytes the largest record, after compression, in bytes; producers and consumers
 *     must use the same
 * @param historyWindow how long compacted topics with history keep every version
 * @param partitions number of partitions of every topic; the same for all topics that share a key
 *     form within a topology (see {@link #CO_PARTITIONED})
 * @param retention how long each topic that is not compacted keeps its records
 */
public record TopicSettings(
    String prefix,
    short replicationFactor,
    int maxMessageBytes,
    Duration historyWindow,
    Map<TopicName, Integer> partitions,
    Map<TopicName, Duration> retention) {
  /** Topics that one topology joins or folds by the same key must have equal partition counts. */
  public static final List<List<TopicName>> CO_PARTITIONED =
      List.of(
          List.of(TopicName.PROBES, TopicName.ATTEMPTS, TopicName.INSTANCE_HEALTH),
          List.of(TopicName.LATENCY_DIGESTS, TopicName.PROVIDER_METRICS),
          List.of(TopicName.UPSTREAM_HEADS, TopicName.CHAIN_EVENTS));

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{0,64}");
  private static final Map<TopicName, Integer> DEFAULT_PARTITIONS = defaultPartitions();
  private static final Map<TopicName, Duration> DEFAULT_RETENTION =
      Map.of(
          TopicName.PROBES, Duration.ofDays(1),
          TopicName.ATTEMPTS, Duration.ofDays(7),
          TopicName.LATENCY_DIGESTS, Duration.ofDays(1),
          TopicName.UPSTREAM_HEADS, Duration.ofDays(1),
          TopicName.CHAIN_EVENTS, Duration.ofDays(1),
          TopicName.ROUTING_DECISIONS, Duration.ofDays(7),
          TopicName.DEAD_LETTERS, Duration.ofDays(7));

  public TopicSettings {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "topic prefix must be up to 64 of letters, digits, '.', '_' or '-', was '"
              + prefix
              + "'");
    }
    if (replicationFactor < 1) {
      throw new IllegalArgumentException(
          "replication factor must be 1 or more, was " + replicationFactor);
    }
    if (maxMessageBytes < 1_048_576) {
      throw new IllegalArgumentException(
          "largest record must be 1048576 bytes or more, was " + maxMessageBytes);
    }
    if (historyWindow.isNegative()) {
      throw new IllegalArgumentException("history window must not be negative");
    }
    partitions = completed(DEFAULT_PARTITIONS, partitions);
    retention = completed(DEFAULT_RETENTION, retention);
    partitions.forEach(TopicSettings::requirePartitions);
    retention.forEach(TopicSettings::requireRetention);
    for (List<TopicName> group : CO_PARTITIONED) {
      if (group.stream().map(partitions::get).distinct().count() > 1) {
        throw new IllegalArgumentException(
            "topics "
                + group
                + " must have the same number of partitions, were "
                + group.stream().map(partitions::get).toList());
      }
    }
  }

  /** Prefix {@code lasso.}, one replica, 6 partitions, 16 MiB, 7 days of history. */
  public static TopicSettings defaults() {
    return new TopicSettings(
        "lasso.", (short) 1, 16 * 1024 * 1024, Duration.ofDays(7), Map.of(), Map.of());
  }

  public TopicSettings withPrefix(String other) {
    return new TopicSettings(
        other, replicationFactor, maxMessageBytes, historyWindow, partitions, retention);
  }

  public TopicSettings withReplicationFactor(short factor) {
    return new TopicSettings(prefix, factor, maxMessageBytes, historyWindow, partitions, retention);
  }

  public TopicSettings withHistoryWindow(Duration window) {
    return new TopicSettings(
        prefix, replicationFactor, maxMessageBytes, window, partitions, retention);
  }

  /** The same number of partitions for every topic that has more than one by default. */
  public TopicSettings withPartitions(int count) {
    Map<TopicName, Integer> all = new EnumMap<>(partitions);
    DEFAULT_PARTITIONS.forEach(
        (topic, usual) -> {
          if (usual > 1) {
            all.put(topic, count);
          }
        });
    return new TopicSettings(
        prefix, replicationFactor, maxMessageBytes, historyWindow, all, retention);
  }

  /** The given number of partitions for the topic and those that must have as many. */
  public TopicSettings withPartitions(TopicName topic, int count) {
    Map<TopicName, Integer> all = new EnumMap<>(partitions);
    all.put(topic, count);
    for (List<TopicName> group : CO_PARTITIONED) {
      if (group.contains(topic)) {
        group.forEach(member -> all.put(member, count));
      }
    }
    return new TopicSettings(
        prefix, replicationFactor, maxMessageBytes, historyWindow, all, retention);
  }

  /**
   * Another retention for one topic.
   *
   * @throws IllegalArgumentException when the topic is compacted
   */
  public TopicSettings withRetention(TopicName topic, Duration time) {
    Map<TopicName, Duration> all = new EnumMap<>(retention);
    all.put(topic, time);
    return new TopicSettings(
        prefix, replicationFactor, maxMessageBytes, historyWindow, partitions, all);
  }

  Duration retentionOf(TopicName topic) {
    return Objects.requireNonNull(retention.get(topic), topic::word);
  }

  private static void requirePartitions(TopicName topic, int count) {
    if (count < 1 || count > 10_000) {
      throw new IllegalArgumentException(
          "partitions of topic " + topic + " must be 1 to 10000, was " + count);
    }
    if (topic == TopicName.PROFILES && count != 1) {
      throw new IllegalArgumentException(
          "topic profiles must have 1 partition, so that profiles are seen in one order, was "
              + count);
    }
  }

  private static void requireRetention(TopicName topic, Duration time) {
    if (!DEFAULT_RETENTION.containsKey(topic)) {
      throw new IllegalArgumentException("topic " + topic + " is compacted and has no retention");
    }
    if (time.toMinutes() < 10) {
      throw new IllegalArgumentException(
          "retention of topic " + topic + " must be 10 minutes or more, was " + time);
    }
  }

  private static <T> Map<TopicName, T> completed(
      Map<TopicName, T> defaults, Map<TopicName, T> chosen) {
    Map<TopicName, T> all = new EnumMap<>(TopicName.class);
    all.putAll(defaults);
    all.putAll(chosen);
    return Collections.unmodifiableMap(all);
  }

  private static Map<TopicName, Integer> defaultPartitions() {
    Map<TopicName, Integer> counts = new EnumMap<>(TopicName.class);
    for (TopicName topic : TopicName.values()) {
      counts.put(
          topic,
          switch (topic) {
            case PROFILES, PRESENCE, DEAD_LETTERS -> 1;
            case PROBES,
                ATTEMPTS,
                LATENCY_DIGESTS,
                INSTANCE_HEALTH,
                UPSTREAM_HEADS,
                CHAIN_STATE,
                PROVIDER_METRICS,
                CHAIN_EVENTS,
                ROUTING_DECISIONS,
                FILTERS ->
                6;
          });
    }
    return Collections.unmodifiableMap(counts);
  }
}
