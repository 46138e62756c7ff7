package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * One partition while it is read: where reading is, and what was fetched but not yet taken. Owned
 * by its {@link MergedTopics}.
 */
final class PartitionRead {
  private final TopicName topic;
  private final TopicPartition partition;
  private final Span span;
  private final long start;
  private final long end;
  private final ArrayDeque<RawRecord> fetched = new ArrayDeque<>();
  private long fetchedBytes;
  private long position;

  /** Latest timestamp so far: a record that stands after a younger one counts as of that time. */
  private long headMs = Long.MIN_VALUE;

  PartitionRead(TopicName topic, TopicPartition partition, Span span, long start, long end) {
    this.topic = topic;
    this.partition = partition;
    this.span = span;
    this.start = start;
    this.end = end;
    this.position = start;
  }

  TopicPartition partition() {
    return partition;
  }

  long start() {
    return start;
  }

  long length() {
    return Math.max(0, end - start);
  }

  long done() {
    return Math.min(Math.max(0, position - start), length());
  }

  /** Whether everything up to the end has been fetched. */
  boolean complete() {
    return position >= end;
  }

  long fetchedBytes() {
    return fetchedBytes;
  }

  void fetched(ConsumerRecord<byte[], byte[]> record) {
    position = record.offset() + 1;
    if (record.offset() < end
        && span.holds(record.partition(), record.offset(), record.timestamp())) {
      fetched.add(
          new RawRecord(
              topic,
              record.partition(),
              record.offset(),
              record.timestamp(),
              record.key(),
              value(record)));
      fetchedBytes += size(fetched.getLast());
      if (fetched.size() == 1) {
        headMs = Math.max(headMs, record.timestamp());
      }
    }
  }

  /** Of a dead letter only who skipped it and why: what it holds may be anything, secrets too. */
  private byte @Nullable [] value(ConsumerRecord<byte[], byte[]> record) {
    if (topic != TopicName.DEAD_LETTERS) {
      return record.value();
    }
    return (header(record, "reader") + ": " + header(record, "error"))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? "unknown"
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Reading went past records that are not delivered: markers of transactions, compacted ones. */
  void movedTo(long offset) {
    position = Math.max(position, offset);
  }

  @Nullable RawRecord peek() {
    return fetched.peek();
  }

  /** When the next record counts as written. */
  long headMs() {
    return headMs;
  }

  RawRecord take() {
    RawRecord taken = fetched.remove();
    fetchedBytes -= size(taken);
    RawRecord next = fetched.peek();
    if (next != null) {
      headMs = Math.max(headMs, next.atMs());
    }
    return taken;
  }

  private static long size(RawRecord record) {
    byte[] value = record.value();
    return 100L + (value == null ? 0 : value.length);
  }
}
