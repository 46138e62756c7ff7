package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event of a chain's stream, prepared once for every subscriber of the process. Immutable,
 * shared by the event loops.
 */
sealed interface StreamEvent {
  ChainId chain();

  /** Position in the chain's stream as this process has it, from 1. */
  long position();

  /** Position in the chain's stream as its owner wrote it: the same in every process. */
  long sequence();

  /**
   * A block joined the canonical branch.
   *
   * @param writtenMs when its owner wrote it
   * @param logs its logs, or null when nobody wanted them or they could not be fetched
   */
  record Added(
      ChainId chain,
      long position,
      long sequence,
      long writtenMs,
      long number,
      String hash,
      Bytes header,
      @Nullable List<LogEntry> logs)
      implements StreamEvent {
    public Added {
      logs = logs == null ? null : List.copyOf(logs);
    }

    Added withLogs(List<LogEntry> found) {
      return new Added(chain, position, sequence, writtenMs, number, hash, header, found);
    }
  }

  /**
   * A block left it.
   *
   * @param addedAt position of the event that had added it; 0 when that is forgotten
   * @param addedSequence sequence number of that event; 0 when that is forgotten
   * @param logs its logs as they are taken back, last first; null when they are not known
   */
  record Removed(
      ChainId chain,
      long position,
      long sequence,
      long number,
      String hash,
      long addedAt,
      long addedSequence,
      @Nullable List<LogEntry> logs)
      implements StreamEvent {
    public Removed {
      logs = logs == null ? null : List.copyOf(logs);
    }

    /** With the logs that the block was told with, as they are taken back. */
    Removed takingBack(@Nullable List<LogEntry> told) {
      return new Removed(
          chain,
          position,
          sequence,
          number,
          hash,
          addedAt,
          addedSequence,
          ChainFeed.takenBack(told));
    }
  }

  /** Blocks that will not come. */
  record Hole(ChainId chain, long position, long sequence, long from, long to, String reason)
      implements StreamEvent {}

  /** The merge changed its state. */
  record StateChanged(
      ChainId chain, long position, long sequence, ChainEvent.StreamState state, String reason)
      implements StreamEvent {}
}
