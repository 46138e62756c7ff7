package dev.lasso.routing.heads;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.ChainState.InstanceHeight;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heads of one chain as one region sees them. Immutable; {@link Heads} makes the next one.
 *
 * @param instances what each instance has shown, ascending by id
 * @param consensus what the chain has reached, or null before the first sighting
 * @param blockTimes measured times between blocks
 */
public record ChainHeads(
    List<InstanceHead> instances, @Nullable Consensus consensus, BlockTimes blockTimes) {
  public static final ChainHeads NONE = new ChainHeads(List.of(), null, BlockTimes.NONE);

  public ChainHeads {
    instances = List.copyOf(instances);
  }

  /** What an instance has shown, or null when nothing. */
  public @Nullable InstanceHead instance(InstanceId instance) {
    int index = indexOf(instance);
    return index < 0 ? null : instances.get(index);
  }

  /**
   * The same, folded by a process whose clock was ahead: what it saw in the future moves back by as
   * much as the newest of it is ahead, so that nothing counts as fresh for longer than meant and no
   * sighting of now looks late.
   *
   * @param atMs now, milliseconds since the epoch
   */
  public ChainHeads withoutFuture(long atMs) {
    long newestMs = consensus == null ? atMs : consensus.newestMs();
    for (InstanceHead head : instances) {
      newestMs = Math.max(newestMs, head.newestMs());
    }
    long aheadMs = newestMs - atMs;
    if (aheadMs <= 0) {
      return this;
    }
    return new ChainHeads(
        instances.stream()
            .map(head -> head.newestMs() > atMs ? head.earlier(aheadMs) : head)
            .toList(),
        consensus == null || consensus.newestMs() <= atMs ? consensus : consensus.earlier(aheadMs),
        blockTimes);
  }

  /** The value that the chain's topic carries. */
  public ChainState toChainState(Region region, ChainId chain, long atMs, HeadsPolicy policy) {
    List<InstanceHeight> heights = new ArrayList<>(instances.size());
    for (InstanceHead head : instances) {
      heights.add(
          new InstanceHeight(
              head.instance(),
              head.height(),
              head.seenAtMs(),
              head.roseAtMs(),
              head.syncing(),
              head.quarantined()));
    }
    return new ChainState(
        region,
        chain,
        atMs,
        consensus == null ? null : consensus.height(),
        consensus == null ? 0 : consensus.sinceMs(),
        consensus == null ? null : consensus.safe(),
        consensus == null ? null : consensus.finalized(),
        blockTimes.median(policy.minSamples()),
        heights);
  }

  ChainHeads with(InstanceHead head) {
    List<InstanceHead> next = new ArrayList<>(instances);
    int index = indexOf(head.instance());
    if (index < 0) {
      next.add(-index - 1, head);
    } else {
      next.set(index, head);
    }
    return new ChainHeads(next, consensus, blockTimes);
  }

  /** Position of the instance, or minus one minus the position where it belongs. */
  private int indexOf(InstanceId instance) {
    int low = 0;
    int high = instances.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = instances.get(middle).instance().compareTo(instance);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }
}
