package dev.lasso.blocksync;

import dev.lasso.routing.ChainId;

/** What profiles say of the time between a chain's blocks. Any thread. */
@FunctionalInterface
interface ExpectedBlockTimes {
  /** Milliseconds, more than 0; a default for a chain that no profile names. */
  double blockTimeMs(ChainId chain);
}
