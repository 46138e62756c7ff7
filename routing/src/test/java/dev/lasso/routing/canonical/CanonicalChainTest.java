package dev.lasso.routing.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.canonical.HeadEvent.Added;
import dev.lasso.routing.canonical.HeadEvent.Forgotten;
import dev.lasso.routing.canonical.HeadEvent.Kept;
import dev.lasso.routing.canonical.HeadEvent.Removed;
import dev.lasso.routing.canonical.HeadEvent.Skipped;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalChainTest {
  private HeadTree tree = HeadTree.empty(8);

  private static HeadBlock block(long number, String hash, String parentHash) {
    return new HeadBlock(number, hash, parentHash, Bytes.EMPTY, "node");
  }

  private List<HeadEvent> see(HeadBlock block) {
    List<HeadEvent> events = CanonicalChain.decide(tree, block);
    tree = CanonicalChain.evolve(tree, events);
    return events;
  }

  private void seeChain(long from, String... hashes) {
    String parent = "before";
    for (int i = 0; i < hashes.length; i++) {
      see(block(from + i, hashes[i], parent));
      parent = hashes[i];
    }
  }

  @Test
  void theFirstBlockIsTheRoot() {
    HeadBlock root = block(100, "a", "z");

    assertThat(see(root)).containsExactly(new Added(root));
    assertThat(see(root)).isEmpty();
  }

  @Test
  void betweenEqualsTheFirstSeenStaysUntilAChildDecides() {
    seeChain(1, "a", "b");
    HeadBlock rival = block(2, "b2", "a");
    HeadBlock child = block(3, "c2", "b2");

    assertThat(see(rival)).containsExactly(new Kept(rival));
    assertThat(see(child))
        .containsExactly(new Removed(block(2, "b", "a")), new Added(rival), new Added(child));
  }

  @Test
  void removesNewestFirstAndAddsOldestFirst() {
    seeChain(1, "a", "b", "c");
    see(block(2, "b2", "a"));
    see(block(3, "c2", "b2"));

    assertThat(see(block(4, "d2", "c2")))
        .containsExactly(
            new Removed(block(3, "c", "b")),
            new Removed(block(2, "b", "a")),
            new Added(block(2, "b2", "a")),
            new Added(block(3, "c2", "b2")),
            new Added(block(4, "d2", "c2")));
  }

  @Test
  void anUnknownParentIsMissingAndConnectsWhenItComes() {
    seeChain(1, "a");
    HeadBlock third = block(3, "c", "b");
    see(third);

    assertThat(CanonicalChain.missing(tree)).containsExactly(new MissingParent(2, "b", third, 1));
    assertThat(see(block(2, "b", "a")))
        .containsExactly(new Added(block(2, "b", "a")), new Added(third));
    assertThat(CanonicalChain.missing(tree)).isEmpty();
    assertThat(tree.aside()).isEmpty();
  }

  @Test
  void theParentOfALosingBranchIsNotAskedFor() {
    seeChain(1, "a", "b", "c");
    see(block(3, "c2", "b2"));

    assertThat(CanonicalChain.missing(tree)).isEmpty();
  }

  @Test
  void whatNobodyHasIsForgottenWithAllThatStandsOnIt() {
    seeChain(1, "a");
    HeadBlock lie = block(9, "x", "w");
    HeadBlock more = block(10, "y", "x");
    see(lie);
    see(more);

    List<HeadEvent> events = CanonicalChain.giveUp(tree, CanonicalChain.missing(tree).getFirst());

    assertThat(events).containsExactlyInAnyOrder(new Forgotten(lie), new Forgotten(more));
  }

  @Test
  void aBranchThatForksBelowEverythingRememberedReplacesIt() {
    seeChain(5, "a", "b");
    see(block(6, "b2", "a2"));
    see(block(7, "c2", "b2"));

    assertThat(see(block(5, "a2", "z2")))
        .containsExactly(
            new Removed(block(6, "b", "a")),
            new Removed(block(5, "a", "before")),
            new Added(block(5, "a2", "z2")),
            new Added(block(6, "b2", "a2")),
            new Added(block(7, "c2", "b2")));
  }

  @Test
  void aJumpLeavesAHoleAndGoesOnBehindIt() {
    seeChain(1, "a");
    see(block(100, "y", "x"));
    see(block(101, "z", "y"));

    List<HeadEvent> events = CanonicalChain.jump(tree, CanonicalChain.missing(tree).getFirst());
    tree = CanonicalChain.evolve(tree, events);

    assertThat(events)
        .containsExactly(
            new Skipped(2, 99), new Added(block(100, "y", "x")), new Added(block(101, "z", "y")));
    assertThat(see(block(102, "q", "z"))).containsExactly(new Added(block(102, "q", "z")));
  }

  @Test
  void aWrongNumberNeverConnects() {
    seeChain(1, "a");
    HeadBlock wrong = block(3, "c", "a");

    assertThat(see(wrong)).containsExactly(new Kept(wrong));
    assertThat(CanonicalChain.missing(tree)).containsExactly(new MissingParent(2, "a", wrong, 1));
  }

  @Test
  void remembersNoMoreThanItsWindow() {
    for (int i = 0; i < 50; i++) {
      see(block(i, "h" + i, i == 0 ? "before" : "h" + (i - 1)));
      see(block(i, "s" + i, "nobody's"));
    }

    assertThat(tree.canonical()).hasSize(8);
    assertThat(tree.aside()).hasSizeLessThanOrEqualTo(8);
  }
}
