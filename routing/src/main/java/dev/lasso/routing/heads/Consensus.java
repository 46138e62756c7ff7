package dev.lasso.routing.heads;

import org.jspecify.annotations.Nullable;

/**
 * The height a chain has reached. Immutable. Times are milliseconds since the epoch.
 *
 * @param height block number
 * @param sinceMs when this height was reached
 * @param shownAtMs when a fresh instance last stood at it or above
 * @param established whether it was confirmed by a second instance or by plausible growth; a first
 *     height that only one instance showed is a guess that any other may correct
 * @param slackBlocks blocks by which growth may still exceed the plausible rate; used up by fast
 *     growth and earned back by slower, so nobody can climb by small steps without end
 * @param fallSinceMs since when most live instances report less; 0 while they do not
 * @param safe highest plausible safe block number, or null
 * @param finalized highest plausible finalized block number, or null
 */
public record Consensus(
    long height,
    long sinceMs,
    long shownAtMs,
    boolean established,
    double slackBlocks,
    long fallSinceMs,
    @Nullable Long safe,
    @Nullable Long finalized) {

  /** The newest of its moments. */
  long newestMs() {
    return Math.max(Math.max(sinceMs, shownAtMs), fallSinceMs);
  }

  /** The same, every moment earlier by so much. */
  Consensus earlier(long byMs) {
    return new Consensus(
        height,
        sinceMs - byMs,
        shownAtMs - byMs,
        established,
        slackBlocks,
        fallSinceMs == 0 ? 0 : fallSinceMs - byMs,
        safe,
        finalized);
  }
}
