package dev.lasso.runtime.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Turns the bytes of a record into an event, tombstones (null values) included. */
@FunctionalInterface
public interface TailDecoder<E> {
  /**
   * Decodes; the topic of the record says what it holds.
   *
   * @throws Exception when the bytes make no sense; the record goes to the dead letters and is
   *     skipped
   */
  E decode(ConsumerRecord<byte[], byte[]> record) throws Exception;
}
