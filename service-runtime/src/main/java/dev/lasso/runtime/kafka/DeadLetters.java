package dev.lasso.runtime.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Where records go that can't be read: noted, kept for analysis, out of the way. Thread-safe, does
 * not block, never throws.
 */
@FunctionalInterface
public interface DeadLetters {
  /**
   * Takes a record that is about to be skipped.
   *
   * @param reader the view or topology that can't read it
   */
  void reject(ConsumerRecord<byte[], byte[]> record, String reader, Throwable why);
}
