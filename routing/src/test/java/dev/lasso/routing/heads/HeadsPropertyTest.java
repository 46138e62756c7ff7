package dev.lasso.routing.heads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.event.HeadSighting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random chains seen through honest, stuck and lying instances. */
class HeadsPropertyTest {
  private static final long START = 1_700_000_000_000L;
  private static final int STEPS = 2_000;

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  /**
   * Three to six honest instances, a stuck one and a liar: the consensus is never above the chain,
   * and never below what two honest ones have shown.
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void neitherALiarNorAStuckInstanceMovesTheHeight(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int honest = 3 + random.nextInt(4);
    double blockTimeMs = random.nextDouble(200, 13_000);
    HeadsPolicy policy = HeadsPolicy.withBlockTime(blockTimeMs * random.nextDouble(0.5, 2));
    long pollMs = (long) Math.min(blockTimeMs * random.nextDouble(0.3, 4), 10_000);
    long[] shown = new long[honest];
    long trueHeight = 1_000_000;
    long stuckAt = trueHeight - random.nextInt(3);
    long lie = trueHeight;
    ChainHeads heads = ChainHeads.NONE;
    double nextBlockMs = START;
    for (int step = 0; step < STEPS; step++) {
      long nowMs = START + step * pollMs / (honest + 2);
      while (nextBlockMs <= nowMs) {
        trueHeight++;
        nextBlockMs += blockTimeMs * random.nextDouble(0.5, 1.5);
      }
      int who = step % (honest + 2);
      HeadSighting sighting;
      if (who < honest) {
        shown[who] = trueHeight - random.nextInt(2);
        sighting = HeadsTest.sighting("honest-" + who, shown[who], nowMs, 0, false, null, null);
      } else if (who == honest) {
        sighting = HeadsTest.sighting("stuck", stuckAt, nowMs, 0, false, null, null);
      } else {
        lie =
            switch (random.nextInt(6)) {
              case 0 -> trueHeight + random.nextLong(100_000_000);
              case 1 -> random.nextLong(trueHeight);
              case 2 -> lie + 1;
              case 3 -> lie + 3;
              case 4 -> trueHeight + random.nextInt(10);
              default -> lie;
            };
        sighting = HeadsTest.sighting("liar", lie, nowMs, 0, false, null, null);
      }
      heads = Heads.evolve(heads, sighting, nowMs, policy);

      Consensus consensus = Objects.requireNonNull(heads.consensus());
      if (step >= honest + 2) {
        long[] sorted = shown.clone();
        Arrays.sort(sorted);
        assertThat(consensus.height())
            .as("seed %d step %d: %s", seed, step, heads)
            .isBetween(sorted[honest - 2] - 1, trueHeight);
      }
    }
  }

  /** With one or two instances the height follows the good one within a few blocks. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void oneOfTwoMayBeStuckAtAnyTime(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double blockTimeMs = random.nextDouble(200, 13_000);
    HeadsPolicy policy = HeadsPolicy.withBlockTime(blockTimeMs);
    long pollMs = (long) Math.min(blockTimeMs * random.nextDouble(0.3, 3), 10_000);
    int stuckFromStep = random.nextInt(STEPS);
    long[] shown = {1_000, 1_000};
    ChainHeads heads = ChainHeads.NONE;
    for (int step = 0; step < STEPS; step++) {
      long nowMs = START + step * pollMs / 2;
      long trueHeight = 1_000 + (long) ((double) (nowMs - START) / blockTimeMs);
      int who = step % 2;
      if (who == 0 || step < stuckFromStep) {
        shown[who] = trueHeight;
      }
      HeadSighting sighting =
          HeadsTest.sighting("i-" + who, shown[who], nowMs, 0, false, null, null);
      heads = Heads.evolve(heads, sighting, nowMs, policy);

      Consensus consensus = Objects.requireNonNull(heads.consensus());
      assertThat(consensus.height())
          .as("seed %d step %d: %s", seed, step, heads)
          .isEqualTo(Math.max(shown[0], shown[1]));
    }
  }

  /** Late and repeated sightings change no height. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void lateAndRepeatedSightingsChangeNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    HeadsPolicy policy = HeadsPolicy.withBlockTime(1_000);
    List<HeadSighting> past = new ArrayList<>();
    ChainHeads heads = ChainHeads.NONE;
    for (int step = 0; step < 300; step++) {
      long nowMs = START + step * 400L;
      String who = "i-" + random.nextInt(4);
      long height = 1_000 + step * 400L / 1_000 - random.nextInt(2);
      HeadSighting sighting = HeadsTest.sighting(who, height, nowMs, 0, false, null, null);
      heads = Heads.evolve(heads, sighting, nowMs, policy);
      ChainHeads again = Heads.evolve(heads, sighting, nowMs, policy);
      assertThat(again).as("seed %d step %d repeated", seed, step).isEqualTo(heads);
      if (!past.isEmpty()) {
        HeadSighting late = past.get(random.nextInt(past.size()));
        ChainHeads after = Heads.evolve(heads, late, nowMs, policy);
        InstanceHead head = heads.instance(late.instance());
        if (head != null && late.seenAtMs() < head.seenAtMs()) {
          assertThat(after).as("seed %d step %d late", seed, step).isEqualTo(heads);
        }
      }
      past.add(sighting);
    }
  }
}
