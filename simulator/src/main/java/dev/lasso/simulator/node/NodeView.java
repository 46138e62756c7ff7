package dev.lasso.simulator.node;

import dev.lasso.simulator.chain.ChainUpdate;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.Fault;
import dev.lasso.simulator.fault.FaultBoard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one node takes for the canonical chain: the true one, seen from some blocks behind, frozen,
 * left for a private branch, or outdone by made-up blocks, as its standing faults demand. Guarded
 * by the chain's lock.
 */
final class NodeView {

  private final SimChain chain;
  private final FaultBoard faults;
  private final int headOffset;
  private SimBlock tip;
  private boolean frozen;
  private int forks;
  private long branch;
  private @Nullable SimBlock sideTip;
  private @Nullable SimBlock madeUp;

  NodeView(SimChain chain, FaultBoard faults, int headOffset) {
    this.chain = chain;
    this.faults = faults;
    this.headOffset = headOffset;
    this.tip = onChain(headOffset);
  }

  /** The node's head. */
  SimBlock head() {
    return tip;
  }

  /** The block the node takes for canonical at a height; null above its head and where pruned. */
  @Nullable SimBlock block(long number) {
    SimBlock block = tip;
    while (block != null && block.number() > number) {
      if (chain.isCanonical(block)) {
        return chain.canonical(number);
      }
      block = chain.byHash(block.parentHash());
    }
    return block != null && block.number() == number ? block : null;
  }

  /** A block the node can know: not higher than its head. */
  @Nullable SimBlock byHash(String hash) {
    SimBlock block = chain.byHash(hash);
    return block != null && block.number() <= tip.number() ? block : null;
  }

  /** Whether the node takes the block for canonical. */
  boolean isCanonical(SimBlock block) {
    return block.equals(block(block.number()));
  }

  /** The block the node believes to hold a transaction. */
  @Nullable SimBlock blockOfTransaction(String hash) {
    SimBlock block = chain.blockOfTransaction(hash);
    if (block != null && isCanonical(block)) {
      return block;
    }
    for (SimBlock side = tip;
        side != null && !chain.isCanonical(side);
        side = chain.byHash(side.parentHash())) {
      if (side.transactions().stream().anyMatch(transaction -> transaction.hash().equals(hash))) {
        return side;
      }
    }
    return null;
  }

  /** Follows the chain and the faults; the returned change is what the node would announce. */
  ChainUpdate refresh() {
    SimBlock next = target();
    List<SimBlock> removed = new ArrayList<>();
    List<SimBlock> added = new ArrayList<>();
    SimBlock from = tip;
    SimBlock to = next;
    while (from != null && to != null && !from.equals(to)) {
      long fromNumber = from.number();
      long toNumber = to.number();
      if (fromNumber >= toNumber) {
        removed.add(from);
        from = chain.byHash(from.parentHash());
      }
      if (toNumber >= fromNumber) {
        added.add(to);
        to = chain.byHash(to.parentHash());
      }
    }
    tip = next;
    return new ChainUpdate(removed, added.reversed());
  }

  private SimBlock target() {
    boolean stop =
        faults.standing(Fault.StopHeads.class).stream()
            .anyMatch(fault -> !fault.notificationsOnly());
    if (stop && frozen) {
      return tip;
    }
    frozen = stop;
    if (stop) {
      return tip;
    }
    followForks();
    int behind = headOffset;
    for (Fault.Rewind rewind : faults.standing(Fault.Rewind.class)) {
      behind += rewind.blocks();
    }
    List<Fault.Ahead> claims = faults.standing(Fault.Ahead.class);
    if (!claims.isEmpty()) {
      return madeUp(claims.getLast().blocks());
    }
    madeUp = null;
    SimBlock side = sideTip;
    if (side == null) {
      return onChain(behind);
    }
    while (side.number() < chain.head().number() - behind) {
      side = chain.mineAside(side, branch);
    }
    sideTip = side;
    return side;
  }

  /** A head so many blocks above the chain's, on a branch that nobody else knows. */
  private SimBlock madeUp(int ahead) {
    SimBlock top = madeUp;
    if (top == null) {
      branch = chain.newBranch();
      top = chain.head();
    }
    while (top.number() < chain.head().number() + ahead) {
      top = chain.mineAside(top, branch);
    }
    madeUp = top;
    return top;
  }

  private void followForks() {
    List<Fault.Fork> standing = faults.standing(Fault.Fork.class);
    if (standing.isEmpty()) {
      sideTip = null;
    } else if (standing.size() > forks) {
      int depth = standing.getLast().depth();
      SimBlock base = block(Math.max(chain.oldestRetained(), tip.number() - depth));
      branch = chain.newBranch();
      SimBlock side = base == null ? tip : base;
      for (long i = side.number(); i <= tip.number(); i++) {
        side = chain.mineAside(side, branch);
      }
      sideTip = side;
    }
    forks = standing.size();
  }

  private SimBlock onChain(int behind) {
    long number = Math.max(chain.oldestRetained(), chain.head().number() - behind);
    SimBlock block = chain.canonical(number);
    return block == null ? chain.head() : block;
  }
}
