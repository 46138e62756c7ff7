package dev.lasso.routing.canonical;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest blocks of a chain: the canonical branch, and what else was seen beside it, branches
 * that lost and blocks whose parents are not known yet. At most {@code window} blocks of each kind.
 * Immutable.
 */
public final class HeadTree {
  private final int window;

  /** Oldest first; numbers rise by one. */
  private final List<HeadBlock> canonical;

  /** By hash, in the order seen. */
  private final Map<String, HeadBlock> aside;

  private HeadTree(int window, List<HeadBlock> canonical, Map<String, HeadBlock> aside) {
    this.window = window;
    this.canonical = canonical;
    this.aside = aside;
  }

  /**
   * A tree that knows nothing.
   *
   * @param window most blocks of each kind, 2 or more
   */
  public static HeadTree empty(int window) {
    if (window < 2) {
      throw new IllegalArgumentException("window must be 2 or more, was " + window);
    }
    return new HeadTree(window, List.of(), Map.of());
  }

  /** Most blocks of each kind. */
  public int window() {
    return window;
  }

  /** The last block of the canonical branch, or null when nothing is known. */
  public @Nullable HeadBlock head() {
    return canonical.isEmpty() ? null : canonical.getLast();
  }

  /** The canonical branch as far as it is remembered, oldest first. */
  public List<HeadBlock> canonical() {
    return canonical;
  }

  /** What is remembered beside it, in the order seen. */
  public Collection<HeadBlock> aside() {
    return aside.values();
  }

  /** Whether a block is remembered. */
  public boolean knows(HeadBlock block) {
    return block.is(canonicalAt(block.number())) || aside.containsKey(block.hash());
  }

  /** The canonical block of a height, or null when it is not remembered. */
  public @Nullable HeadBlock canonicalAt(long number) {
    if (canonical.isEmpty()) {
      return null;
    }
    long index = number - canonical.getFirst().number();
    return index < 0 || index >= canonical.size() ? null : canonical.get((int) index);
  }

  @Nullable HeadBlock aside(String hash) {
    return aside.get(hash);
  }

  HeadTree withHead(HeadBlock block) {
    HeadBlock head = head();
    if (head != null && block.number() != head.number() + 1) {
      throw new IllegalArgumentException("block " + block + " does not follow " + head);
    }
    int from = canonical.size() == window ? 1 : 0;
    List<HeadBlock> longer = new ArrayList<>(canonical.size() + 1);
    longer.addAll(canonical.subList(from, canonical.size()));
    longer.add(block);
    long oldest = longer.getFirst().number();
    Map<String, HeadBlock> left = aside;
    if (aside.containsKey(block.hash())
        || aside.values().stream().anyMatch(other -> other.number() < oldest)) {
      left = new LinkedHashMap<>(aside);
      left.values().removeIf(other -> other.is(block) || other.number() < oldest);
    }
    return of(longer, left);
  }

  HeadTree withoutHead() {
    HeadBlock head = canonical.getLast();
    return of(canonical.subList(0, canonical.size() - 1), aside).withAside(head);
  }

  HeadTree withAside(HeadBlock block) {
    Map<String, HeadBlock> more = new LinkedHashMap<>(aside);
    more.put(block.hash(), block);
    if (more.size() > window) {
      HeadBlock lowest =
          Collections.min(more.values(), Comparator.comparingLong(HeadBlock::number));
      more.remove(lowest.hash());
    }
    return of(canonical, more);
  }

  HeadTree withoutAside(HeadBlock block) {
    Map<String, HeadBlock> less = new LinkedHashMap<>(aside);
    less.remove(block.hash());
    return of(canonical, less);
  }

  /** Nothing canonical is known any more; what was seen beside it stays. */
  HeadTree withoutCanonical() {
    return of(List.of(), aside);
  }

  private HeadTree of(List<HeadBlock> branch, Map<String, HeadBlock> others) {
    return new HeadTree(window, List.copyOf(branch), Collections.unmodifiableMap(others));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HeadTree tree
        && window == tree.window
        && canonical.equals(tree.canonical)
        && aside.equals(tree.aside);
  }

  @Override
  public int hashCode() {
    return canonical.hashCode() * 31 + aside.hashCode();
  }

  @Override
  public String toString() {
    return canonical + " aside " + aside.values();
  }
}
