package dev.lasso.runtime.kafka;

import java.time.Duration;

/** Where a {@link TopicTail} begins in a partition it sees for the first time. */
public sealed interface TailStart {
  /** At the first record kept; right for compacted topics. */
  record Beginning() implements TailStart {}

  /** At records not older than {@code age}; right for topics of events. */
  record Recent(Duration age) implements TailStart {}

  /** Behind the last record. */
  record End() implements TailStart {}
}
