package dev.lasso.simulator.chain;

/**
 * One entry of a chain's history, the truth that streams are measured against. Sequence numbers
 * begin at 0 with the genesis block and have no holes.
 */
public sealed interface ChainEvent {

  /** Position in the history. */
  long sequence();

  /** The block that came or went. */
  SimBlock block();

  /** The block became the head. */
  record Added(long sequence, SimBlock block) implements ChainEvent {}

  /** The block was the head and ceased to be canonical. */
  record Removed(long sequence, SimBlock block) implements ChainEvent {}
}
