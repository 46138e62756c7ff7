package dev.lasso.routing.event;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a chain's canonical branch. Topic {@code chain-events}; sequence numbers rise by one
 * per chain.
 */
public sealed interface ChainEvent {
  ChainId chain();

  /** Position in the chain's stream, from 1. */
  long sequence();

  /** When it was written. */
  long atMs();

  /** Number of the block it is about. */
  long number();

  /**
   * A block joined the canonical branch.
   *
   * @param header the header as a node sends it to a {@code newHeads} subscriber (JSON)
   * @param logs every log of the block in order, each as a node sends it (JSON), or null when
   *     nobody wanted logs
   * @param source the region's instance it came from, for the record
   */
  record BlockAdded(
      ChainId chain,
      long sequence,
      long atMs,
      long number,
      String hash,
      String parentHash,
      Bytes header,
      @Nullable List<Bytes> logs,
      String source)
      implements ChainEvent {
    public BlockAdded {
      logs = logs == null ? null : List.copyOf(logs);
    }
  }

  /**
   * A block left the canonical branch. Newest first within a reorg.
   *
   * @param logs the block's logs again, or null when they were never fetched
   */
  record BlockRemoved(
      ChainId chain,
      long sequence,
      long atMs,
      long number,
      String hash,
      String parentHash,
      @Nullable List<Bytes> logs)
      implements ChainEvent {
    public BlockRemoved {
      logs = logs == null ? null : List.copyOf(logs);
    }
  }

  /**
   * Blocks {@code number} to {@code toNumber} could not be filled within the continuity policy.
   *
   * @param reason why, for the subscriber
   */
  record Gap(ChainId chain, long sequence, long atMs, long number, long toNumber, String reason)
      implements ChainEvent {}

  /**
   * The stream's state changed (seed page websocket-subscriptions).
   *
   * @param state active, backfilling, switching or degraded
   */
  record StreamStateChanged(
      ChainId chain, long sequence, long atMs, long number, StreamState state, String reason)
      implements ChainEvent {}

  /** What the merge of a chain's sightings is doing. */
  enum StreamState {
    ACTIVE,
    BACKFILLING,
    SWITCHING,
    DEGRADED
  }
}
