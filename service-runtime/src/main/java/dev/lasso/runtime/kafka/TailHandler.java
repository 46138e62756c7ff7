package dev.lasso.runtime.kafka;

/**
 * Receives what a {@link TopicTail} reads. Called on the tail's thread only, one call at a time.
 */
public interface TailHandler<E> {
  /**
   * Takes the next records. An exception is a bug: it is logged, and the tail goes on behind the
   * batch.
   */
  void apply(TailBatch<E> batch);

  /**
   * The topic was deleted and created anew, or was cut: all its partitions follow again from their
   * beginning. A view forgets what it learned from it.
   */
  default void restarted(String topic) {}
}
