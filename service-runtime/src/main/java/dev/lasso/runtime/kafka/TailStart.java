package dev.lasso.runtime.kafka;

import java.time.Duration;
import java.util.Set;

/** Where a {@link TopicTail} begins in a partition it sees for the first time. */
public sealed interface TailStart {
  /** At the first record kept; right for compacted topics. */
  record Beginning() implements TailStart {}

  /** At records not older than {@code age}; right for topics of events. */
  record Recent(Duration age) implements TailStart {}

  /**
   * At records not older than {@code span} in {@code topics}, whose rows are written again all the
   * time, so that what is older tells nothing; at the first record kept where a partition has
   * nothing so young, and in every other topic.
   *
   * @param topics full names
   */
  record Refreshed(Duration span, Set<String> topics) implements TailStart {
    public Refreshed {
      topics = Set.copyOf(topics);
    }
  }

  /** Behind the last record. */
  record End() implements TailStart {}
}
