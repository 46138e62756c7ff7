package dev.lasso.routing.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random chains with forks to depth 12, seen through nodes that lag, skip, repeat, reorder and
 * invent. What is delivered is measured against the chain itself.
 */
class CanonicalChainPropertyTest {
  private static final int WINDOW = 64;
  private static final int BATCH = 100;
  private static final int STEPS = 60;

  static LongStream batches() {
    return LongStream.range(0, 50);
  }

  /** 5,000 histories, a hundred in each test. */
  @ParameterizedTest(name = "seeds {0}00 to {0}99")
  @MethodSource("batches")
  void everySubscriberIsToldTheChainAsItIs(long batch) {
    for (long seed = batch * BATCH; seed < (batch + 1) * BATCH; seed++) {
      try {
        new Run(seed).everything();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** One history, one merge, one subscriber. */
  private static final class Run {
    private final SplittableRandom random;
    private final BlockWorld world;
    private final DeliveredStream delivered = new DeliveredStream();
    private final boolean liars;
    private HeadTree tree = HeadTree.empty(WINDOW);

    Run(long seed) {
      random = new SplittableRandom(seed);
      world = new BlockWorld(random, random.nextInt(1_000));
      liars = random.nextInt(3) == 0;
    }

    void everything() {
      for (int i = 0; i < 20; i++) {
        world.mine();
      }
      // the owner asks a provider of its choice for the block that it begins with
      see(world.behind(random.nextInt(4)));
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(8)) {
          case 0 -> world.fork(1 + random.nextInt(12));
          case 1 -> mineUnseen();
          case 2, 3, 4 -> world.mine();
          default -> {}
        }
        for (int shown = random.nextInt(4); shown > 0; shown--) {
          see(someSighting());
        }
        if (random.nextInt(20) == 0) {
          moveToAnotherOwner();
        }
        assertThat(tree.canonical()).hasSizeLessThanOrEqualTo(WINDOW);
        assertThat(tree.aside()).hasSizeLessThanOrEqualTo(WINDOW);
      }
      // whatever was invented is overtaken by the chain
      for (int i = 0; i < 4; i++) {
        world.mine();
      }
      see(world.head());
      assertThat(tree.head()).isEqualTo(world.head());
      List<HeadBlock> standing = delivered.standing();
      List<HeadBlock> chain = world.chain();
      int same = Math.min(standing.size(), chain.size());
      assertThat(standing.subList(standing.size() - same, standing.size()))
          .isEqualTo(chain.subList(chain.size() - same, chain.size()));
      assertThat(delivered.skips()).isZero();
    }

    private void mineUnseen() {
      for (int i = random.nextInt(8); i >= 0; i--) {
        world.mine();
      }
    }

    private HeadBlock someSighting() {
      if (liars && random.nextInt(6) == 0) {
        return invented();
      }
      return world.behind(random.nextInt(3) == 0 ? random.nextInt(10) : 0);
    }

    private HeadBlock invented() {
      HeadBlock head = world.head();
      return switch (random.nextInt(4)) {
        case 0 -> world.block(head.number() + 1, "nobody's");
        case 1 -> world.block(head.number() + random.nextInt(1_000), "nobody's");
        case 2 -> world.block(head.number() + 2, head.hash());
        default ->
            new HeadBlock(head.number() + 1, "x" + head.hash(), head.hash(), Bytes.EMPTY, "");
      };
    }

    private void see(HeadBlock block) {
      apply(CanonicalChain.decide(tree, block));
      List<MissingParent> missing = CanonicalChain.missing(tree);
      while (!missing.isEmpty()) {
        MissingParent first = missing.getFirst();
        HeadBlock fetched = world.byHash(first.hash());
        if (fetched == null || fetched.number() != first.number()) {
          apply(CanonicalChain.giveUp(tree, first));
        } else {
          assertThat(tree.knows(fetched)).isFalse();
          apply(CanonicalChain.decide(tree, fetched));
        }
        missing = CanonicalChain.missing(tree);
      }
    }

    private void apply(List<HeadEvent> events) {
      events.forEach(delivered::take);
      tree = CanonicalChain.evolve(tree, events);
    }

    /** The next owner knows what was written, and nothing else. */
    private void moveToAnotherOwner() {
      HeadTree next = HeadTree.empty(WINDOW);
      for (HeadBlock block : tree.canonical()) {
        next = CanonicalChain.evolve(next, new HeadEvent.Added(block));
      }
      tree = next;
    }
  }
}
