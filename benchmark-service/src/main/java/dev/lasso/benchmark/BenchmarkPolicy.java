package dev.lasso.benchmark;

import java.time.Duration;

/**
 * The numbers of the fold.
 *
 * @param window how far back evidence counts; routing takes rows up to 10 minutes old for fresh
 * @param buckets slices of the window; evidence leaves it a slice at a time
 * @param publishInterval shortest time between two versions of one row; the first comes at once
 * @param idle how long nothing is told about a row before it is removed
 * @param maxUnlistedMethods for each channel and partition, how many methods outside the method
 *     table get rows of their own; what is beyond shares the row {@code other}
 * @param halfConfidentCalls calls after which the confidence is one half: confidence = calls ÷
 *     (calls + this)
 */
record BenchmarkPolicy(
    Duration window,
    int buckets,
    Duration publishInterval,
    Duration idle,
    int maxUnlistedMethods,
    int halfConfidentCalls) {
  static final BenchmarkPolicy DEFAULT =
      new BenchmarkPolicy(
          Duration.ofMinutes(10), 10, Duration.ofSeconds(1), Duration.ofHours(1), 20, 10);

  BenchmarkPolicy {
    require(!window.minusSeconds(1).isNegative(), "window must be 1 s or more");
    require(buckets >= 1 && buckets <= 600, "buckets must be 1 to 600");
    require(window.toMillis() / buckets >= 100, "a bucket must last 100 ms or more");
    require(!publishInterval.isNegative(), "publish interval must not be negative");
    require(idle.compareTo(window) >= 0, "idle time must not be shorter than the window");
    require(maxUnlistedMethods >= 0, "unlisted methods must be 0 or more");
    require(halfConfidentCalls >= 1, "half-confident calls must be 1 or more");
  }

  long windowMs() {
    return window.toMillis();
  }

  long bucketMs() {
    return window.toMillis() / buckets;
  }

  long publishIntervalMs() {
    return publishInterval.toMillis();
  }

  /** How much a row over so many calls may be trusted, 0 to 1. */
  double confidence(long calls) {
    return (double) calls / (calls + halfConfidentCalls);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
