package dev.lasso.subscription;

/**
 * A chain's head as a provider told it when somebody began to follow the chain: what comes after it
 * is of interest. The provider may have claimed to be further than the chain is, so the time counts
 * beside the height. Immutable.
 *
 * @param number its height
 * @param hash its hash
 * @param foundMs when it was told, in ms since the epoch
 */
record StartingPoint(long number, String hash, long foundMs) {
  /**
   * A block that its owner writes so much later came after the head, whatever the heights say:
   * within it fit a takeover, the filling of a gap, the wait for logs, and clocks that differ.
   */
  static final long SURELY_AFTER_MS = 60_000;

  /** Whether an event adds this very block. */
  boolean isItself(StreamEvent.Added added) {
    return added.hash().equals(hash);
  }

  /** Whether an event adds a block that came after it. */
  boolean isBefore(StreamEvent.Added added) {
    return !isItself(added)
        && (added.number() > number || added.writtenMs() > foundMs + SURELY_AFTER_MS);
  }
}
