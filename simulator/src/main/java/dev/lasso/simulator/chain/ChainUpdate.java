package dev.lasso.simulator.chain;

import java.util.List;

/**
 * One atomic change of the canonical chain.
 *
 * @param removed blocks that ceased to be canonical, newest first
 * @param added blocks that became canonical, oldest first
 */
public record ChainUpdate(List<SimBlock> removed, List<SimBlock> added) {

  /** Copies the lists. */
  public ChainUpdate {
    removed = List.copyOf(removed);
    added = List.copyOf(added);
  }
}
