package dev.lasso.blocksync;

import dev.lasso.routing.heads.HeadsPolicy;

/**
 * The numbers of the fold.
 *
 * @param heads the consensus height's; each chain has its own block time
 * @param stalledMs a chain is said to stand still when its consensus height has not changed for
 *     this long and {@code stalledBlocks} block times
 * @param stalledBlocks see {@code stalledMs}
 */
record FoldPolicy(HeadsPolicy heads, long stalledMs, int stalledBlocks) {
  static final FoldPolicy DEFAULT = new FoldPolicy(HeadsPolicy.DEFAULT, 30_000, 5);

  FoldPolicy {
    if (stalledMs < 0 || stalledBlocks < 0) {
      throw new IllegalArgumentException("stalledMs and stalledBlocks must not be negative");
    }
  }

  /** How long a chain with this block time may stand still unmentioned, milliseconds. */
  long stalledAfterMs(double blockTimeMs) {
    return stalledMs + (long) (stalledBlocks * blockTimeMs);
  }
}
