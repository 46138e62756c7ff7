package dev.lasso.replay.decide;

/** Random histories for tests of other packages. */
public final class Histories {
  /** When every history begins, milliseconds since the epoch. */
  public static final long START_MS = RandomHistory.START_MS;

  private Histories() {}

  /** State changes and decisions of two processes. */
  public static RecordedTopics random(long seed, int steps) {
    return new RandomHistory(seed).run(steps);
  }
}
