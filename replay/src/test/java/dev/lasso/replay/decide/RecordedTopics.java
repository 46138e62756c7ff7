package dev.lasso.replay.decide;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Topics in memory that tests write to, as Kafka would keep them. */
public final class RecordedTopics {
  private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
  private final List<RawRecord> records = new ArrayList<>();
  private final Map<String, Long> ends = new HashMap<>();

  public TopicCatalogue topics() {
    return topics;
  }

  /** Everything written so far. */
  public List<RawRecord> records() {
    return records;
  }

  /** The offset after the last record of each partition, by {@code topic-partition}. */
  public Map<String, Long> ends() {
    return ends;
  }

  /** Appends a value under its own time, or the given one where it has none. */
  public <K, V> RawRecord write(Topic<K, V> topic, V value, long nowMs) {
    return append(topic, topic.encoded(value), nowMs);
  }

  /** Appends a tombstone. */
  public <K, V> RawRecord remove(Topic<K, V> topic, K key, long nowMs) {
    return append(topic, topic.encodedTombstone(key, nowMs), nowMs);
  }

  private RawRecord append(Topic<?, ?> topic, ProducerRecord<byte[], byte[]> encoded, long nowMs) {
    int partition = Math.floorMod(Arrays.hashCode(encoded.key()), topic.spec().partitions());
    String place = topic.id().word() + "-" + partition;
    long offset = ends.getOrDefault(place, 0L);
    // every seventh offset is a transaction's marker
    long next = offset + (offset % 7 == 5 ? 2 : 1);
    ends.put(place, next);
    Long atMs = encoded.timestamp();
    RawRecord record =
        new RawRecord(
            topic.id(),
            partition,
            offset,
            atMs == null ? nowMs : atMs,
            encoded.key(),
            encoded.value());
    records.add(record);
    return record;
  }
}
