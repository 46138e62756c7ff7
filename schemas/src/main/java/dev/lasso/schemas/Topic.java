package dev.lasso.schemas;

import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;

/**
 * One topic of the platform: its name and set-up in Kafka, and how its keys and values are written
 * and read. A null value is a tombstone.
 *
 * <p>Immutable, safe on any thread; so are its serdes.
 *
 * @param <K> the key type
 * @param <V> the domain type of its values
 */
public final class Topic<K, V> {
  private final TopicName id;
  private final TopicSpec spec;
  private final String purpose;
  private final String writers;
  private final KeyCodec<K> keys;
  private final Function<V, K> keyOf;
  private final Function<V, @Nullable Long> timeOf;
  private final ValueCodec<V> values;

  Topic(
      TopicName id,
      TopicSpec spec,
      String purpose,
      String writers,
      KeyCodec<K> keys,
      Function<V, K> keyOf,
      Function<V, @Nullable Long> timeOf,
      ValueCodec<V> values) {
    this.id = id;
    this.spec = spec;
    this.purpose = purpose;
    this.writers = writers;
    this.keys = keys;
    this.keyOf = keyOf;
    this.timeOf = timeOf;
    this.values = values;
  }

  /** The short name: a closed set, fit for metric tags. */
  public TopicName id() {
    return id;
  }

  /** The name in Kafka, with the prefix. */
  public String name() {
    return spec.name();
  }

  /** How the topic must be set up in Kafka. */
  public TopicSpec spec() {
    return spec;
  }

  /** What the topic carries, in a few words. */
  public String purpose() {
    return purpose;
  }

  /** Who writes to it. */
  public String writers() {
    return writers;
  }

  /** How keys are written. */
  public KeyCodec<K> keys() {
    return keys;
  }

  /** The key that a value is written under. */
  public K keyOf(V value) {
    return keyOf.apply(value);
  }

  /**
   * When a value was observed, milliseconds since the epoch: the timestamp of its record. Null for
   * values that carry no time; their record gets the producer's.
   */
  public @Nullable Long timeOf(V value) {
    return timeOf.apply(value);
  }

  /** For Kafka clients and Streams. Deserialising throws {@link UnreadableRecord}. */
  public Serde<K> keySerde() {
    return keys.serde();
  }

  /**
   * For Kafka clients and Streams; null passes both ways. Deserialising throws {@link
   * UnreadableRecord}. A plain consumer that must go on after an unreadable record takes bytes and
   * calls {@link #read} instead, because Kafka's consumer stops at the first exception of a
   * deserialiser.
   */
  public Serde<V> valueSerde() {
    return values.serde();
  }

  /** A record that says {@code value} under its own key and time. */
  public ProducerRecord<K, V> record(V value) {
    return new ProducerRecord<>(name(), null, timeOf(value), keyOf(value), value);
  }

  /** As {@link #record}, already serialised. */
  public ProducerRecord<byte[], byte[]> encoded(V value) {
    return new ProducerRecord<>(
        name(), null, timeOf(value), keys.toBytes(keyOf(value)), values.toBytes(value));
  }

  /**
   * A record that removes what was said under {@code key}, already serialised.
   *
   * @param atMs when it ended, milliseconds since the epoch
   */
  public ProducerRecord<byte[], byte[]> encodedTombstone(K key, long atMs) {
    byte[] nothing = null;
    return new ProducerRecord<>(name(), null, atMs, keys.toBytes(key), nothing);
  }

  /**
   * Reads a record of this topic.
   *
   * @throws UnreadableRecord when this build cannot read its key or value
   */
  public Entry<K, V> read(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value();
    return new Entry<>(
        keys.fromBytes(record.key()),
        value == null ? null : values.fromBytes(value),
        record.timestamp());
  }

  /**
   * Reads a record of this topic.
   *
   * @throws UnreadableRecord when this build cannot read its key or value
   */
  public Entry<K, V> read(RawRecord record) {
    byte[] value = record.value();
    return new Entry<>(
        keys.fromBytes(record.key()),
        value == null ? null : values.fromBytes(value),
        record.atMs());
  }

  /** A value as the bytes of a record. */
  public byte[] valueBytes(V value) {
    return values.toBytes(value);
  }

  ValueCodec<V> values() {
    return values;
  }

  @Override
  public String toString() {
    return name();
  }

  /**
   * A record as the domain sees it.
   *
   * @param key the key
   * @param value the value, or null for a tombstone
   * @param atMs the record's timestamp, milliseconds since the epoch
   */
  public record Entry<K, V>(K key, @Nullable V value, long atMs) {}
}
