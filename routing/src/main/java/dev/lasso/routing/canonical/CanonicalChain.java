package dev.lasso.routing.canonical;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which branch is followed (subscriptions page, "From providers to one canonical chain").
 * Blocks come from many providers, repeated, late, out of order, or invented. The first one to show
 * a block is believed; the longest branch is followed; between equals the one seen first, until a
 * child decides. A branch that forks off below everything remembered replaces everything
 * remembered.
 *
 * <p>{@code decide} reads, {@link #evolve} alone changes. Pure.
 */
public final class CanonicalChain {
  private CanonicalChain() {}

  /**
   * What follows from a block that was seen at a provider, pushed, polled or asked for. Nothing for
   * one that is known, or older than what is remembered.
   */
  public static List<HeadEvent> decide(HeadTree tree, HeadBlock seen) {
    HeadBlock head = tree.head();
    if (head == null) {
      return List.of(new HeadEvent.Added(seen));
    }
    if (tree.knows(seen) || seen.number() < tree.canonical().getFirst().number()) {
      return List.of();
    }
    HeadBlock tip = highestAbove(tree, seen);
    List<HeadBlock> branch = branch(tree, tip, seen);
    if (tip.number() <= head.number() || !connected(tree, branch.getFirst())) {
      return List.of(new HeadEvent.Kept(seen));
    }
    return follow(tree, branch);
  }

  /** The tree after an event of {@code decide}, {@link #giveUp} or {@link #jump}. */
  public static HeadTree evolve(HeadTree tree, HeadEvent event) {
    return switch (event) {
      case HeadEvent.Added(HeadBlock block) -> tree.withHead(block);
      case HeadEvent.Removed(HeadBlock block) -> {
        if (!block.is(tree.head())) {
          throw new IllegalArgumentException("block " + block + " is not the head");
        }
        yield tree.withoutHead();
      }
      case HeadEvent.Skipped _ -> tree.withoutCanonical();
      case HeadEvent.Kept(HeadBlock block) -> tree.withAside(block);
      case HeadEvent.Forgotten(HeadBlock block) -> tree.withoutAside(block);
    };
  }

  /** As {@link #evolve(HeadTree, HeadEvent)} for several in turn. */
  public static HeadTree evolve(HeadTree tree, List<HeadEvent> events) {
    HeadTree next = tree;
    for (HeadEvent event : events) {
      next = evolve(next, event);
    }
    return next;
  }

  /**
   * The blocks that must be fetched before branches longer than the canonical one can be followed;
   * highest tip first.
   */
  public static List<MissingParent> missing(HeadTree tree) {
    HeadBlock head = tree.head();
    if (head == null) {
      return List.of();
    }
    Map<String, MissingParent> byHash = new LinkedHashMap<>();
    tree.aside().stream()
        .filter(block -> block.number() > head.number())
        .sorted(Comparator.comparingLong(HeadBlock::number).reversed())
        .forEach(
            tip -> {
              HeadBlock lowest = branch(tree, tip, tip).getFirst();
              if (!connected(tree, lowest)) {
                long number = lowest.number() - 1;
                byHash.putIfAbsent(
                    lowest.parentHash(),
                    new MissingParent(
                        number, lowest.parentHash(), tip, Math.max(1, number - head.number())));
              }
            });
    return List.copyOf(byHash.values());
  }

  /** Nobody has a block that a branch needs: everything that stands on it is forgotten. */
  public static List<HeadEvent> giveUp(HeadTree tree, MissingParent missing) {
    List<HeadEvent> events = new ArrayList<>();
    for (HeadBlock block : tree.aside()) {
      HeadBlock lowest = branch(tree, block, block).getFirst();
      if (lowest.parentHash().equals(missing.hash()) && !connected(tree, lowest)) {
        events.add(new HeadEvent.Forgotten(block));
      }
    }
    return events;
  }

  /**
   * Follows a branch that does not connect to the canonical one, because what lies between is too
   * much to fetch. Canonical blocks at its heights are removed, heights between are skipped.
   */
  public static List<HeadEvent> jump(HeadTree tree, MissingParent missing) {
    HeadBlock head = tree.head();
    HeadBlock tip = tree.aside(missing.tip().hash());
    if (head == null || tip == null || tip.number() <= head.number()) {
      return List.of();
    }
    List<HeadBlock> branch = branch(tree, tip, tip);
    long lowest = branch.getFirst().number();
    List<HeadEvent> events = new ArrayList<>();
    for (long number = head.number(); number >= lowest; number--) {
      HeadBlock removed = tree.canonicalAt(number);
      if (removed != null) {
        events.add(new HeadEvent.Removed(removed));
      }
    }
    if (head.number() + 1 < lowest) {
      events.add(new HeadEvent.Skipped(head.number() + 1, lowest - 1));
    }
    branch.forEach(block -> events.add(new HeadEvent.Added(block)));
    return events;
  }

  /** The highest remembered block that descends from the new one; the first seen of several. */
  private static HeadBlock highestAbove(HeadTree tree, HeadBlock seen) {
    HeadBlock highest = seen;
    for (HeadBlock block : tree.aside()) {
      if (block.number() > highest.number() && descends(tree, block, seen)) {
        highest = block;
      }
    }
    return highest;
  }

  private static boolean descends(HeadTree tree, HeadBlock block, HeadBlock from) {
    HeadBlock current = block;
    while (current != null && current.number() > from.number()) {
      if (current.childOf(from)) {
        return true;
      }
      current = parentAside(tree, current, from);
    }
    return false;
  }

  /**
   * The blocks from the tip down to the last one that is remembered beside the canonical branch, or
   * to the height of the oldest canonical block; oldest first.
   */
  private static List<HeadBlock> branch(HeadTree tree, HeadBlock tip, HeadBlock seen) {
    List<HeadBlock> branch = new ArrayList<>();
    HeadBlock current = tip;
    while (current != null) {
      branch.add(current);
      current = connected(tree, current) ? null : parentAside(tree, current, seen);
    }
    return branch.reversed();
  }

  private static @Nullable HeadBlock parentAside(HeadTree tree, HeadBlock block, HeadBlock seen) {
    HeadBlock parent =
        seen.hash().equals(block.parentHash()) ? seen : tree.aside(block.parentHash());
    return parent != null && block.childOf(parent) ? parent : null;
  }

  /** Whether a block stands on the canonical branch, or as low as that begins. */
  private static boolean connected(HeadTree tree, HeadBlock block) {
    HeadBlock below = tree.canonicalAt(block.number() - 1);
    return (below != null && block.childOf(below))
        || block.number() <= tree.canonical().getFirst().number();
  }

  private static List<HeadEvent> follow(HeadTree tree, List<HeadBlock> branch) {
    List<HeadEvent> events = new ArrayList<>();
    List<HeadBlock> canonical = tree.canonical();
    for (int i = canonical.size() - 1;
        i >= 0 && canonical.get(i).number() >= branch.getFirst().number();
        i--) {
      events.add(new HeadEvent.Removed(canonical.get(i)));
    }
    branch.forEach(block -> events.add(new HeadEvent.Added(block)));
    return events;
  }
}
