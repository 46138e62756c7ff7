package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heights of a chain as one region sees them. Topic {@code chain-state}.
 *
 * @param region whose view
 * @param chain the chain
 * @param atMs when this version was made
 * @param consensusHeight the height that routing measures lag against, or null before the first
 *     sighting
 * @param consensusAtMs when that height was reached; 0 before the first sighting
 * @param safe highest plausible safe block number, or null when not known
 * @param finalized highest plausible finalized block number, or null when not known
 * @param blockTimeMs measured block time in milliseconds, more than 0; null with fewer than 5
 *     samples
 * @param heights the last height of each instance, by instance id
 */
public record ChainState(
    Region region,
    ChainId chain,
    long atMs,
    @Nullable Long consensusHeight,
    long consensusAtMs,
    @Nullable Long safe,
    @Nullable Long finalized,
    @Nullable Double blockTimeMs,
    List<InstanceHeight> heights) {
  public ChainState {
    if (blockTimeMs != null && !(blockTimeMs > 0)) {
      throw new IllegalArgumentException("block time must be more than 0 ms, was " + blockTimeMs);
    }
    heights = List.copyOf(heights);
  }

  /**
   * The last height seen at an instance.
   *
   * @param instance who showed it
   * @param height block number
   * @param seenAtMs when it was last seen
   * @param roseAtMs when it last rose, or was first seen
   * @param syncing whether the node said it is syncing
   * @param quarantined whether an implausible jump keeps it out of the consensus
   */
  public record InstanceHeight(
      InstanceId instance,
      long height,
      long seenAtMs,
      long roseAtMs,
      boolean syncing,
      boolean quarantined) {}
}
