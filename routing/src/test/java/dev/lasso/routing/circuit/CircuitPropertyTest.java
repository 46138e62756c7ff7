package dev.lasso.routing.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.circuit.CircuitInput.Attempt;
import dev.lasso.routing.circuit.CircuitInput.Counted;
import dev.lasso.routing.circuit.CircuitInput.Probe;
import dev.lasso.routing.circuit.CircuitInput.Reported;
import dev.lasso.routing.circuit.CircuitInput.Time;
import dev.lasso.routing.circuit.CircuitInput.Trial;
import dev.lasso.routing.circuit.CircuitState.Closed;
import dev.lasso.routing.circuit.CircuitState.HalfOpen;
import dev.lasso.routing.circuit.CircuitState.Open;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random sequences against a model that keeps every outcome in a list. */
class CircuitPropertyTest {
  private static final CircuitPolicy POLICY = CircuitPolicy.DEFAULT;
  private static final int STEPS = 5_000;
  private static final int SEEDS = 40;
  private static final int SHORT_STEPS = 60;

  /** Short ones in all; {@code -Dlasso.sequences=100000} for more. */
  private static final int SEQUENCES = Integer.getInteger("lasso.sequences", 4_000);

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  /** A process's own circuit: for each seed one long sequence and many short ones. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void agreesWithAModelThatKeepsEverything(long seed) {
    agrees(new SplittableRandom(seed), STEPS, seed);
    for (int i = 1; i <= SEQUENCES / SEEDS; i++) {
      long own = seed + 1_000L * i;
      agrees(new SplittableRandom(own), SHORT_STEPS, own);
    }
  }

  private static void agrees(SplittableRandom random, int steps, long seed) {
    Model model = new Model();
    CircuitState state = CircuitState.initial(POLICY);
    long nowMs = 1_700_000_000_000L;
    double failing = 0.1;
    for (int step = 0; step < steps; step++) {
      if (random.nextInt(50) == 0) {
        failing = random.nextDouble();
      }
      nowMs += random.nextInt(20) == 0 ? random.nextInt(40_000) : random.nextInt(700);
      CircuitInput input = input(random, failing, state);
      List<CircuitEvent> events = Circuit.decide(state, input, nowMs, POLICY, random);
      CircuitState next = Circuit.evolve(state, events, POLICY);

      CircuitStatus expected = model.after(input, nowMs, state);
      if (next.status() != expected) {
        assertThat(next.status())
            .as("seed %d step %d: %s in %s", seed, step, input, state)
            .isEqualTo(expected);
      }
      requireSane(state, input, next, nowMs);
      state = next;
    }
  }

  /** A busy provider that fails now and then stays closed, however few successes are reported. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void samplingNeverOpensTheFleetsCircuit(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    CircuitState state = CircuitState.initial(POLICY);
    double failing = random.nextDouble(0.01, 0.2);
    long nowMs = 1_700_000_000_000L;
    long unreported = 0;
    long row = 0;
    long longestRow = 0;
    long intervalSuccesses = 0;
    long intervalFailures = 0;
    for (int step = 1; step <= STEPS; step++) {
      nowMs += random.nextInt(4);
      boolean failed = random.nextDouble() < failing;
      row = failed ? row + 1 : 0;
      longestRow = Math.max(longestRow, row);
      if (failed) {
        state = fed(state, new Reported(true, unreported), nowMs, random);
        unreported = 0;
        intervalFailures++;
      } else {
        unreported++;
        intervalSuccesses++;
        if (random.nextInt(100) == 0) {
          state = fed(state, new Reported(false, unreported - 1), nowMs, random);
          unreported = 0;
        }
      }
      if (step % 500 == 0) {
        Counted counted =
            new Counted(nowMs - 1_000, nowMs + 1, intervalSuccesses, intervalFailures);
        state = fed(state, counted, nowMs + 1, random);
        intervalSuccesses = 0;
        intervalFailures = 0;
      }
    }
    assertThat(longestRow).as("seed %d fails at random only", seed).isLessThan(10);
    if (longestRow < POLICY.failuresToOpen()) {
      assertThat(state.status()).as("seed %d", seed).isEqualTo(CircuitStatus.CLOSED);
    }
  }

  private static CircuitState fed(
      CircuitState state, CircuitInput input, long atMs, SplittableRandom random) {
    return Circuit.evolve(state, Circuit.decide(state, input, atMs, POLICY, random), POLICY);
  }

  private static CircuitInput input(SplittableRandom random, double failing, CircuitState state) {
    boolean fails = random.nextDouble() < failing;
    boolean trial = state instanceof HalfOpen && random.nextBoolean();
    return switch (random.nextInt(10)) {
      case 0 -> Time.PASSED;
      case 1 -> fails ? Probe.FAILURE : Probe.SUCCESS;
      case 2 -> trial ? Trial.NEUTRAL : Attempt.NEUTRAL;
      default -> {
        if (trial) {
          yield fails ? Trial.FAILURE : Trial.SUCCESS;
        }
        yield fails ? Attempt.FAILURE : Attempt.SUCCESS;
      }
    };
  }

  private static void requireSane(
      CircuitState before, CircuitInput input, CircuitState after, long nowMs) {
    switch (after) {
      case Closed closed -> {
        assertThat(closed.failuresInRow()).isLessThan(POLICY.failuresToOpenBusy());
        assertThat(before.statusAt(nowMs))
            .as("never straight from open")
            .isNotEqualTo(CircuitStatus.OPEN);
      }
      case Open open -> {
        long period = open.untilMs() - open.sinceMs();
        double usual = (double) POLICY.openMs(open.reopenings());
        assertThat((double) period).isBetween(usual * 0.9 - 1, usual * 1.1 + 1);
      }
      case HalfOpen halfOpen ->
          assertThat(halfOpen.successes())
              .as("after %s", input)
              .isLessThan(POLICY.successesToClose());
    }
  }

  /** The routing page in the plainest form. */
  private static final class Model {
    private record Outcome(long bucket, boolean failed) {}

    private final List<Outcome> outcomes = new ArrayList<>();
    private int row;
    private int probeRow;
    private int successes;

    CircuitStatus after(CircuitInput input, long nowMs, CircuitState before) {
      return switch (before.statusAt(nowMs)) {
        case CLOSED -> closed(input, nowMs);
        case OPEN -> {
          Open open = (Open) before;
          long longestMs = POLICY.openMs(open.reopenings());
          double waitMs =
              Math.min(
                  POLICY.probeWaitMs() * Math.pow(2, open.reopenings() + open.openings() - 1),
                  (double) longestMs);
          if (input == Probe.SUCCESS && nowMs - open.sinceMs() >= waitMs) {
            successes = 1;
            yield CircuitStatus.HALF_OPEN;
          }
          yield CircuitStatus.OPEN;
        }
        case HALF_OPEN -> {
          if (before instanceof Open) {
            successes = 0;
          }
          yield halfOpen(input);
        }
      };
    }

    private CircuitStatus closed(CircuitInput input, long nowMs) {
      long bucket = nowMs / 1_000;
      boolean failed = input == Attempt.FAILURE || input == Trial.FAILURE;
      boolean succeeded = input == Attempt.SUCCESS || input == Trial.SUCCESS;
      if (failed || succeeded) {
        outcomes.add(new Outcome(bucket, failed));
        row = failed ? row + 1 : 0;
      }
      if (input instanceof Probe probe && probe != Probe.NEUTRAL) {
        probeRow = probe == Probe.FAILURE ? probeRow + 1 : 0;
      }
      outcomes.removeIf(outcome -> outcome.bucket() <= bucket - 10);
      long failures = outcomes.stream().filter(Outcome::failed).count();
      boolean busy = outcomes.size() >= 20;
      boolean opens =
          (failed && row >= (busy ? 10 : 5))
              || (failed && busy && failures * 2 >= outcomes.size())
              || (input == Probe.FAILURE && probeRow >= 5);
      if (!opens) {
        return CircuitStatus.CLOSED;
      }
      outcomes.clear();
      row = 0;
      probeRow = 0;
      return CircuitStatus.OPEN;
    }

    private CircuitStatus halfOpen(CircuitInput input) {
      if (input == Trial.FAILURE || input == Probe.FAILURE) {
        return CircuitStatus.OPEN;
      }
      if (input == Trial.SUCCESS || input == Probe.SUCCESS) {
        successes++;
      }
      return successes >= 2 ? CircuitStatus.CLOSED : CircuitStatus.HALF_OPEN;
    }
  }
}
