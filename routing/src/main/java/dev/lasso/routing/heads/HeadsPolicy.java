package dev.lasso.routing.heads;

/**
 * The numbers of the consensus height (routing page, "Consensus height"). Times in milliseconds;
 * "block times" are measured ones, or {@code blockTimeMs} until enough are measured.
 *
 * @param blockTimeMs expected time between blocks
 * @param freshMs an instance is fresh when observed within this or {@code freshBlocks} block times,
 *     the larger
 * @param freshBlocks see {@code freshMs}
 * @param liveMs an instance is live when its height rose within this plus {@code liveBlocks} block
 *     times
 * @param liveBlocks see {@code liveMs}
 * @param growthFactor growth is plausible up to this many times the expected number of blocks, plus
 *     {@code growthBlocks}; until the block time is measured, one or two instances are judged by
 *     {@code fastestBlockTimeMs}, for a profile's figure may be far off
 * @param growthBlocks see {@code growthFactor}
 * @param fastestBlockTimeMs see {@code growthFactor}
 * @param shallowBlocks a fall by no more than this must hold for a block time: a load balancer that
 *     shows an older backend is not a reorg
 * @param abandonedMs a consensus height that no fresh instance has stood at for this long is given
 *     up
 * @param forgottenMs an instance not observed for this long is forgotten
 * @param minSamples samples from which the measured block time counts
 */
public record HeadsPolicy(
    double blockTimeMs,
    long freshMs,
    int freshBlocks,
    long liveMs,
    int liveBlocks,
    double growthFactor,
    int growthBlocks,
    double fastestBlockTimeMs,
    int shallowBlocks,
    long abandonedMs,
    long forgottenMs,
    int minSamples) {
  /** The page's numbers, for a chain with a block every 12 s. */
  public static final HeadsPolicy DEFAULT =
      new HeadsPolicy(12_000, 30_000, 3, 10_000, 3, 1.5, 3, 100, 3, 60_000, 600_000, 5);

  /**
   * @throws IllegalArgumentException naming the number that is out of range
   */
  public HeadsPolicy {
    if (!(blockTimeMs > 0)) {
      throw new IllegalArgumentException("blockTimeMs must be above 0, was " + blockTimeMs);
    }
    if (!(fastestBlockTimeMs > 0)) {
      throw new IllegalArgumentException(
          "fastestBlockTimeMs must be above 0, was " + fastestBlockTimeMs);
    }
    if (!(growthFactor >= 1)) {
      throw new IllegalArgumentException("growthFactor must be 1 or more, was " + growthFactor);
    }
    if (freshMs < 1 || liveMs < 1 || abandonedMs < 1 || forgottenMs < freshMs) {
      throw new IllegalArgumentException(
          "freshMs, liveMs and abandonedMs must be 1 or more, forgottenMs at least freshMs");
    }
    if (freshBlocks < 0 || liveBlocks < 0 || growthBlocks < 0 || shallowBlocks < 0) {
      throw new IllegalArgumentException("numbers of blocks must not be negative");
    }
    if (minSamples < 1 || minSamples > BlockTimes.CAPACITY) {
      throw new IllegalArgumentException("minSamples must be 1 to " + BlockTimes.CAPACITY);
    }
  }

  /** The page's numbers for a chain with the given expected block time. */
  public static HeadsPolicy withBlockTime(double blockTimeMs) {
    return DEFAULT.expecting(blockTimeMs);
  }

  /**
   * The greatest height that a provider can plausibly be at. Beyond it is what {@link Heads} takes
   * out of the consensus.
   *
   * @param height consensus height, reached at {@code sinceMs}
   */
  public double highestPlausible(long height, long sinceMs, long atMs) {
    double elapsedMs = (double) Math.max(0, atMs - sinceMs);
    double unseenMs = (double) liveMs + liveBlocks * blockTimeMs;
    return height + growthBlocks + growthFactor * (elapsedMs + unseenMs) / Math.max(blockTimeMs, 1);
  }

  /** The same numbers for a chain with another expected block time. */
  public HeadsPolicy expecting(double otherBlockTimeMs) {
    return new HeadsPolicy(
        otherBlockTimeMs,
        freshMs,
        freshBlocks,
        liveMs,
        liveBlocks,
        growthFactor,
        growthBlocks,
        fastestBlockTimeMs,
        shallowBlocks,
        abandonedMs,
        forgottenMs,
        minSamples);
  }
}
