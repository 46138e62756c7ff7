package dev.lasso.subscription;

import dev.lasso.routing.canonical.CanonicalChain;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.canonical.HeadEvent;
import dev.lasso.routing.canonical.HeadTree;
import dev.lasso.routing.event.ChainEvent;
import java.util.List;

/**
 * What the written events of a chain say: where its next owner goes on. Immutable.
 *
 * @param tree the canonical branch
 * @param sequence of the last event; 0 when there is none
 * @param state that the stream was left in
 * @param leftActiveMs since when it has not been active, in ms since the epoch; 0 when it is
 */
record ChainHistory(HeadTree tree, long sequence, ChainEvent.StreamState state, long leftActiveMs) {
  /** A chain that nothing was written of. */
  static ChainHistory none(int window) {
    return new ChainHistory(HeadTree.empty(window), 0, ChainEvent.StreamState.ACTIVE, 0);
  }

  /** The same history with the sequence number of an event that is not there any more. */
  ChainHistory from(long lastSequence) {
    return new ChainHistory(tree, lastSequence, state, leftActiveMs);
  }

  /** The history with one more event. A stream that begins in the middle is taken as it comes. */
  ChainHistory with(ChainEvent event) {
    return switch (event) {
      case ChainEvent.BlockAdded added -> with(added(added), event);
      case ChainEvent.BlockRemoved removed -> with(removed(removed), event);
      case ChainEvent.Gap gap ->
          with(
              CanonicalChain.evolve(tree, new HeadEvent.Skipped(gap.number(), gap.toNumber())),
              event);
      case ChainEvent.StreamStateChanged changed -> {
        boolean active = changed.state() == ChainEvent.StreamState.ACTIVE;
        long leftMs = leftActiveMs == 0 ? changed.atMs() : leftActiveMs;
        yield new ChainHistory(tree, event.sequence(), changed.state(), active ? 0 : leftMs);
      }
    };
  }

  private ChainHistory with(HeadTree next, ChainEvent event) {
    return new ChainHistory(next, event.sequence(), state, leftActiveMs);
  }

  private HeadTree added(ChainEvent.BlockAdded added) {
    HeadBlock block =
        new HeadBlock(
            added.number(), added.hash(), added.parentHash(), added.header(), added.source());
    HeadBlock head = tree.head();
    boolean follows = head == null || block.number() == head.number() + 1;
    HeadTree before = follows ? tree : HeadTree.empty(tree.window());
    return CanonicalChain.evolve(before, List.of(new HeadEvent.Added(block)));
  }

  private HeadTree removed(ChainEvent.BlockRemoved removed) {
    HeadBlock head = tree.head();
    return head != null && head.hash().equals(removed.hash())
        ? CanonicalChain.evolve(tree, new HeadEvent.Removed(head))
        : tree;
  }
}
