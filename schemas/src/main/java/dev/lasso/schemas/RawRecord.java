package dev.lasso.schemas;

import org.jspecify.annotations.Nullable;

/**
 * A record of one of the platform's topics as it stands there, its key and value not yet read. What
 * replay reads from Kafka and from trace files alike. Takes over the arrays, which nobody changes.
 */
public final class RawRecord {
  private final TopicName topic;
  private final int partition;
  private final long offset;
  private final long atMs;
  private final byte @Nullable [] key;
  private final byte @Nullable [] value;

  /**
   * A record.
   *
   * @param topic its topic
   * @param partition its partition there
   * @param offset its offset there
   * @param atMs its timestamp, milliseconds since the epoch
   * @param key its key, or null when it has none
   * @param value its value, or null for a tombstone
   */
  public RawRecord(
      TopicName topic,
      int partition,
      long offset,
      long atMs,
      byte @Nullable [] key,
      byte @Nullable [] value) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.atMs = atMs;
    this.key = key;
    this.value = value;
  }

  public TopicName topic() {
    return topic;
  }

  public int partition() {
    return partition;
  }

  public long offset() {
    return offset;
  }

  /** Its timestamp, milliseconds since the epoch. */
  public long atMs() {
    return atMs;
  }

  /** Its key, not to be changed; null when it has none. */
  public byte @Nullable [] key() {
    return key;
  }

  /** Its value, not to be changed; null for a tombstone. */
  public byte @Nullable [] value() {
    return value;
  }

  /** The same record with another value. */
  public RawRecord withValue(byte @Nullable [] other) {
    return new RawRecord(topic, partition, offset, atMs, key, other);
  }

  /** {@code topic-partition@offset}. */
  @Override
  public String toString() {
    return topic.word() + "-" + partition + "@" + offset;
  }
}
