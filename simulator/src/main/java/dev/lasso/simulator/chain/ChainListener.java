package dev.lasso.simulator.chain;

/**
 * Told of everything that happens to a chain, in order, on the thread that made it happen and while
 * the chain is held still. Must return soon and must not change the chain.
 */
public interface ChainListener {

  /** The canonical chain changed. */
  void chainUpdated(ChainUpdate update);

  /** A transaction entered the pool. */
  default void transactionPending(SimTransaction transaction) {}
}
