package dev.lasso.system;

import dev.lasso.routing.InstanceId;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * When each instance was looked at by each role, as the topics that the roles write say: a probe of
 * health, a head of blocksync, a row of benchmark. Belongs to the test's thread. Times are
 * milliseconds since the epoch.
 */
final class Looks implements AutoCloseable {
  private final Map<String, Kind<?>> kinds = new LinkedHashMap<>();
  private final Map<String, List<Look>> looks = new HashMap<>();
  private final KafkaConsumer<byte[], byte[]> consumer;

  /** Those from now on. */
  Looks(String kafka, TopicCatalogue topics) {
    kinds.put(
        "health",
        new Kind<>(topics.probes(), probe -> probe.endpoint().instance(), ProbeResult::process));
    kinds.put(
        "blocksync",
        new Kind<>(topics.upstreamHeads(), HeadSighting::instance, HeadSighting::process));
    kinds.put(
        "benchmark",
        new Kind<ProviderMetrics>(
            topics.providerMetrics(), row -> row.channel().instance(), _ -> ""));
    consumer =
        new KafkaConsumer<>(
            new HashMap<>(Map.of("bootstrap.servers", kafka)),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    kinds.forEach(
        (role, kind) -> {
          looks.put(role, new ArrayList<>());
          consumer.partitionsFor(kind.topic.name()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .forEach(partitions::add);
        });
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
  }

  /**
   * One look.
   *
   * @param partition of the topic where it is told
   * @param process that looked; empty where the topic does not say
   * @param atMs when
   */
  record Look(int partition, InstanceId instance, String process, long atMs) {}

  private record Kind<V>(
      Topic<?, V> topic, Function<V, InstanceId> instance, Function<V, String> process) {
    void read(ConsumerRecord<byte[], byte[]> record, List<Look> into) {
      V value = topic.read(record).value();
      if (value != null) {
        into.add(
            new Look(
                record.partition(),
                instance.apply(value),
                process.apply(value),
                record.timestamp()));
      }
    }
  }

  /** All looks of a role so far. */
  List<Look> of(String role) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
      kinds.forEach(
          (writer, kind) -> {
            if (kind.topic.name().equals(record.topic())) {
              kind.read(record, looks.getOrDefault(writer, new ArrayList<>()));
            }
          });
    }
    return looks.getOrDefault(role, List.of());
  }

  /** Those of a role since a moment. */
  List<Look> since(String role, long fromMs) {
    return of(role).stream().filter(look -> look.atMs() > fromMs).toList();
  }

  /** The instances that these looked at. */
  static Set<InstanceId> instances(List<Look> looks) {
    return looks.stream().map(Look::instance).collect(Collectors.toSet());
  }

  /** The processes that these were by. */
  static Set<String> processes(List<Look> looks) {
    return looks.stream().map(Look::process).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * The longest time in which a role did not look at one of the instances, of the times that ended
   * after {@code fromMs}; one that has not ended by {@code untilMs} counts up to there.
   */
  long longestMs(String role, long fromMs, long untilMs) {
    Map<InstanceId, List<Look>> byInstance =
        of(role).stream().collect(Collectors.groupingBy(Look::instance));
    long longestMs = 0;
    for (List<Look> ofOne : byInstance.values()) {
      long beforeMs = Long.MAX_VALUE;
      for (long atMs : times(ofOne, untilMs)) {
        if (atMs > fromMs) {
          longestMs = Math.max(longestMs, atMs - beforeMs);
        }
        beforeMs = atMs;
      }
    }
    return longestMs;
  }

  private static long[] times(List<Look> looks, long untilMs) {
    long[] times =
        looks.stream().mapToLong(Look::atMs).filter(atMs -> atMs < untilMs).sorted().toArray();
    long[] all = Arrays.copyOf(times, times.length + 1);
    all[times.length] = untilMs;
    return all;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
