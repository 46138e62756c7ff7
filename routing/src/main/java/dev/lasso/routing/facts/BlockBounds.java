package dev.lasso.routing.facts;

import org.jspecify.annotations.Nullable;

/**
 * The heights that a request reads, as far as they are known when it is routed.
 *
 * @param fromBlock lowest block, or null when unbound (the head, a hash, no block)
 * @param toBlock highest block, or null when unbound
 * @param requiresArchival whether state older than the chain's archival threshold is needed
 */
public record BlockBounds(
    @Nullable Long fromBlock, @Nullable Long toBlock, boolean requiresArchival) {
  /** Nothing is known, nothing is asked. */
  public static final BlockBounds UNBOUND = new BlockBounds(null, null, false);
}
