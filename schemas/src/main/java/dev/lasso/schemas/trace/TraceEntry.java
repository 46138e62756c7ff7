package dev.lasso.schemas.trace;

import dev.lasso.schemas.RawRecord;

/** What stands in a trace file. */
sealed interface TraceEntry {
  /** A record of a topic. */
  record OfTopic(RawRecord record) implements TraceEntry {}

  /**
   * The end of a complete trace.
   *
   * @param records how many stand before it
   */
  record End(long records) implements TraceEntry {}
}
