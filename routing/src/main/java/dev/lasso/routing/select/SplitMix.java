package dev.lasso.routing.select;

import java.util.random.RandomGenerator;

/**
 * A random generator that can be set to a seed without making a new object: SplitMix64 (Steele,
 * Lea, Flood, "Fast splittable pseudorandom number generators", 2014). Owned by one thread.
 */
final class SplitMix implements RandomGenerator {
  private long state;

  void seed(long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
