package dev.lasso.schemas;

import dev.lasso.routing.Bytes;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that a process could not read and skipped. Topic {@code dead-letters}.
 *
 * @param topic the topic's name in Kafka
 * @param partition its partition
 * @param offset its offset there
 * @param recordedAtMs the record's timestamp, milliseconds since the epoch
 * @param rejectedAtMs when it was skipped, milliseconds since the epoch
 * @param process the process that could not read it
 * @param reason why, or empty for a reason that this build does not know
 * @param detail what exactly was wrong, without content of the record
 * @param key the first 64 KiB of its key, or null when it had none
 * @param value the first 1 MiB of its value, or null when it had none
 * @param valueBytes size of the whole value; 0 when it had none
 */
public record DeadLetter(
    String topic,
    int partition,
    long offset,
    long recordedAtMs,
    long rejectedAtMs,
    String process,
    Optional<UnreadableRecord.Reason> reason,
    String detail,
    @Nullable Bytes key,
    @Nullable Bytes value,
    int valueBytes) {
  private static final int MAX_KEY_BYTES = 64 * 1024;
  private static final int MAX_VALUE_BYTES = 1024 * 1024;

  /**
   * What is kept of an unreadable record.
   *
   * @param record the record as it came
   * @param why what was wrong with it
   * @param process the reading process
   * @param nowMs milliseconds since the epoch
   */
  public static DeadLetter of(
      ConsumerRecord<byte[], byte[]> record, UnreadableRecord why, String process, long nowMs) {
    byte[] value = record.value();
    return new DeadLetter(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        nowMs,
        process,
        Optional.of(why.reason()),
        why.detail(),
        firstOf(record.key(), MAX_KEY_BYTES),
        firstOf(value, MAX_VALUE_BYTES),
        value == null ? 0 : value.length);
  }

  private static @Nullable Bytes firstOf(byte @Nullable [] bytes, int limit) {
    if (bytes == null) {
      return null;
    }
    return Bytes.copyOf(bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit));
  }
}
