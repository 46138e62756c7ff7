package dev.lasso.schemas;

import dev.lasso.routing.Bytes;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record that a process could not read and skipped, as the topic {@code dead-letters} keeps it:
 * key {@code topic|partition|offset}, value the bytes as they were, headers {@code key} (the
 * record's key as it was), {@code reader} (the view or topology that could not read it) and {@code
 * error} (the class of the exception).
 *
 * @param place where the record stands
 * @param atMs when it was skipped, milliseconds since the epoch
 * @param reader who could not read it; empty when the header is missing
 * @param error the exception's class; empty when the header is missing
 * @param key the record's key, or null when it had none
 * @param value the record's value, or null when it had none
 */
public record DeadLetter(
    DeadLetterKey place,
    long atMs,
    String reader,
    String error,
    @Nullable Bytes key,
    @Nullable Bytes value) {
  /**
   * Reads a record of the topic {@code dead-letters}.
   *
   * @throws UnreadableRecord when its key is not of the topic's form
   */
  public static DeadLetter read(ConsumerRecord<byte[], byte[]> record) {
    return new DeadLetter(
        TopicKeys.DEAD_LETTER.fromBytes(record.key()),
        record.timestamp(),
        text(header(record, "reader")),
        text(header(record, "error")),
        bytes(header(record, "key")),
        bytes(record.value()));
  }

  private static byte @Nullable [] header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : header.value();
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  private static @Nullable Bytes bytes(byte @Nullable [] bytes) {
    return bytes == null ? null : Bytes.copyOf(bytes);
  }
}
