package dev.lasso.runtime.kafka;

/** How far a {@link TopicTail} has come. */
public sealed interface TailStatus {
  /** Nothing was read yet; {@code reason} says what is waited for. */
  record Waiting(String reason) implements TailStatus {}

  /** Reading what was written before; {@code behindRecords} offsets are still to come. */
  record CatchingUp(long behindRecords) implements TailStatus {}

  /** Everything there is has been read; new records arrive within milliseconds. */
  record Current() implements TailStatus {}

  /**
   * Was current once, but nothing can be read since {@code sinceMs} (Unix epoch milliseconds); what
   * was read stays valid.
   */
  record Degraded(String reason, long sinceMs) implements TailStatus {}
}
