package dev.lasso.routing.heads;

/**
 * What "fresh", "live" and "plausible" mean for a chain at its present block time. Milliseconds.
 *
 * @param blockTimeMs the measured block time, or the expected one
 * @param growthBlockTimeMs the block time by which growth is judged: the measured one; before that
 *     the expected one, or with one or two sources that of the fastest chains, since a height that
 *     no two can vouch for must not wait for ever on a wrong setting
 * @param freshWithinMs an instance observed within this is fresh
 * @param liveWithinMs an instance whose height rose within this is live
 */
record Windows(
    double blockTimeMs, double growthBlockTimeMs, double freshWithinMs, double liveWithinMs) {
  static Windows of(ChainHeads heads, HeadsPolicy policy) {
    Double measured = heads.blockTimes().median(policy.minSamples());
    double blockTimeMs = measured == null ? policy.blockTimeMs() : measured;
    return new Windows(
        blockTimeMs,
        Math.max(blockTimeMs, 1),
        Math.max((double) policy.freshMs(), policy.freshBlocks() * blockTimeMs),
        (double) policy.liveMs() + policy.liveBlocks() * blockTimeMs);
  }

  /** The same with growth judged for so few sources. */
  Windows forSources(int sources, ChainHeads heads, HeadsPolicy policy) {
    boolean guessed = heads.blockTimes().median(policy.minSamples()) == null;
    return guessed && sources <= 2
        ? new Windows(
            blockTimeMs,
            Math.min(policy.fastestBlockTimeMs(), blockTimeMs),
            freshWithinMs,
            liveWithinMs)
        : this;
  }

  boolean fresh(InstanceHead head, long atMs) {
    return (double) (atMs - head.seenAtMs()) <= freshWithinMs;
  }

  boolean live(InstanceHead head, long atMs) {
    return (double) (atMs - head.roseAtMs()) <= liveWithinMs;
  }

  /** Blocks by which the chain can plausibly have grown. */
  double plausibleGrowth(Consensus consensus, long atMs, HeadsPolicy policy) {
    return consensus.slackBlocks() + grown((double) (atMs - consensus.sinceMs()), policy);
  }

  /**
   * Whether a height is ahead of the consensus by more than the difference between instances seen
   * at different moments explains.
   */
  boolean farAhead(long height, Consensus consensus, long atMs, HeadsPolicy policy) {
    double elapsedMs = (double) (atMs - consensus.sinceMs());
    double aheadBlocks = (double) (height - consensus.height());
    return consensus.established()
        && aheadBlocks > policy.growthBlocks() + grown(elapsedMs + liveWithinMs, policy);
  }

  private double grown(double elapsedMs, HeadsPolicy policy) {
    return policy.growthFactor() * elapsedMs / growthBlockTimeMs;
  }
}
