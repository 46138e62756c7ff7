package dev.lasso.routing.heads;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The last intervals between first sights of new consensus heights, per block. Immutable. */
public final class BlockTimes {
  static final int CAPACITY = 31;

  /** Blocks that come faster than the clock can tell apart count as this far apart. */
  private static final double LEAST_MS = 1;

  static final BlockTimes NONE = new BlockTimes(new double[0]);

  /** Oldest first, in milliseconds. */
  private final double[] samples;

  private BlockTimes(double[] samples) {
    this.samples = samples;
  }

  /**
   * Samples as {@link #samples()} gave them.
   *
   * @param samples oldest first, in milliseconds; of more than fit the last are kept
   */
  public static BlockTimes of(double[] samples) {
    return samples.length == 0
        ? NONE
        : new BlockTimes(
            Arrays.copyOfRange(samples, Math.max(samples.length - CAPACITY, 0), samples.length));
  }

  /** A copy of the samples, oldest first, in milliseconds. */
  public double[] samples() {
    return samples.clone();
  }

  BlockTimes plus(double intervalMs) {
    int kept = Math.min(samples.length, CAPACITY - 1);
    double[] next = Arrays.copyOfRange(samples, samples.length - kept, samples.length + 1);
    next[kept] = intervalMs;
    return new BlockTimes(next);
  }

  /** The median in milliseconds, at least 1; null with fewer samples than asked for. */
  @Nullable Double median(int minSamples) {
    if (samples.length < minSamples) {
      return null;
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return Math.max(median, LEAST_MS);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlockTimes times && Arrays.equals(samples, times.samples);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(samples);
  }

  @Override
  public String toString() {
    return Arrays.toString(samples);
  }
}
