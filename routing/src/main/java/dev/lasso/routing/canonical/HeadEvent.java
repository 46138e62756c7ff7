package dev.lasso.routing.canonical;

/** A change of a {@link HeadTree}. Only {@link CanonicalChain#evolve} acts on it. */
public sealed interface HeadEvent {
  /** A block became the head of the canonical branch. */
  record Added(HeadBlock block) implements HeadEvent {}

  /** The head of the canonical branch left it. */
  record Removed(HeadBlock block) implements HeadEvent {}

  /**
   * The blocks between two numbers, both included, will never be known: the next block added does
   * not follow the last.
   */
  record Skipped(long fromNumber, long toNumber) implements HeadEvent {}

  /** A block is remembered, beside the canonical branch. */
  record Kept(HeadBlock block) implements HeadEvent {}

  /** A block beside the canonical branch is no longer remembered. */
  record Forgotten(HeadBlock block) implements HeadEvent {}
}
