package dev.lasso.routing.heads;

import dev.lasso.routing.InstanceId;
import org.jspecify.annotations.Nullable;

/**
 * What one instance has shown of a chain. Immutable. Times are milliseconds since the epoch.
 *
 * @param instance who
 * @param height the last block number it showed
 * @param seenAtMs when it last showed one
 * @param roseAtMs when it last showed a height above its peak, or was first seen: a newcomer counts
 *     as live until it has had time to rise
 * @param peak the highest number it showed, until that was not seen for a while
 * @param peakSeenAtMs when it last showed its peak
 * @param fellFrom the height it stood at before it fell, or -1 when it has not fallen or is back
 * @param syncing whether it said it is syncing
 * @param quarantinedSinceMs when its height became implausible; 0 while it is plausible
 * @param safe the safe block number it last gave, or null
 * @param finalized the finalized block number it last gave, or null
 */
public record InstanceHead(
    InstanceId instance,
    long height,
    long seenAtMs,
    long roseAtMs,
    long peak,
    long peakSeenAtMs,
    long fellFrom,
    boolean syncing,
    long quarantinedSinceMs,
    @Nullable Long safe,
    @Nullable Long finalized) {

  /** Whether its height is kept out of the consensus until another instance confirms it. */
  public boolean quarantined() {
    return quarantinedSinceMs != 0;
  }

  /** The newest of its moments. */
  long newestMs() {
    return Math.max(Math.max(seenAtMs, roseAtMs), Math.max(peakSeenAtMs, quarantinedSinceMs));
  }

  /** The same, every moment earlier by so much. */
  InstanceHead earlier(long byMs) {
    return new InstanceHead(
        instance,
        height,
        seenAtMs - byMs,
        roseAtMs - byMs,
        peak,
        peakSeenAtMs - byMs,
        fellFrom,
        syncing,
        quarantined() ? quarantinedSinceMs - byMs : 0,
        safe,
        finalized);
  }

  InstanceHead withQuarantine(boolean implausible, long atMs) {
    if (implausible == quarantined()) {
      return this;
    }
    return new InstanceHead(
        instance,
        height,
        seenAtMs,
        roseAtMs,
        peak,
        peakSeenAtMs,
        fellFrom,
        syncing,
        implausible ? atMs : 0,
        safe,
        finalized);
  }
}
