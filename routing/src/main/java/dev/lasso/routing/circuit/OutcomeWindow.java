package dev.lasso.routing.circuit;

import java.util.Arrays;

/**
 * Successes and penalised failures of the last seconds: ten buckets, the running one and the nine
 * before it. Immutable. Outcomes may come late: they enter the bucket they belong to, or none when
 * that has left the window.
 */
public final class OutcomeWindow {
  /** Number of buckets. */
  public static final int BUCKETS = 10;

  private static final int MAX_COUNT = Integer.MAX_VALUE / (2 * BUCKETS);

  private final long bucketMs;
  private final long newest;

  /** By bucket number modulo ten: successes in the upper 32 bits, failures in the lower. */
  private final long[] counts;

  private OutcomeWindow(long bucketMs, long newest, long[] counts) {
    this.bucketMs = bucketMs;
    this.newest = newest;
    this.counts = counts;
  }

  /** A window of the given length that has seen nothing. */
  public static OutcomeWindow empty(long windowMs) {
    return new OutcomeWindow(Math.max(windowMs / BUCKETS, 1), 0, new long[BUCKETS]);
  }

  /**
   * A window as {@link #bucketMs()}, {@link #newest()} and {@link #counts()} described it.
   *
   * @throws IllegalArgumentException when they can't be those of a window
   */
  public static OutcomeWindow restored(long bucketMs, long newest, long[] counts) {
    if (bucketMs < 1 || counts.length != BUCKETS) {
      throw new IllegalArgumentException("a window has ten buckets of 1 ms or more");
    }
    return new OutcomeWindow(bucketMs, newest, counts.clone());
  }

  /** Length of one bucket in milliseconds. */
  public long bucketMs() {
    return bucketMs;
  }

  /** Number of the newest bucket: its start divided by its length. */
  public long newest() {
    return newest;
  }

  /** A copy of the buckets, in the form {@link #restored} takes. */
  public long[] counts() {
    return counts.clone();
  }

  /** One of the same length that has seen nothing. */
  OutcomeWindow emptied() {
    return new OutcomeWindow(bucketMs, 0, new long[BUCKETS]);
  }

  OutcomeWindow plus(long atMs, long successes, long failures) {
    long bucket = Math.floorDiv(atMs, bucketMs);
    if (bucket <= newest - BUCKETS) {
      return this;
    }
    long[] next = counts.clone();
    if (bucket > newest) {
      long emptied = Math.min(bucket - newest, BUCKETS);
      for (long i = bucket - emptied + 1; i <= bucket; i++) {
        next[index(i)] = 0;
      }
    }
    int index = index(bucket);
    long grownSuccesses = Math.min((next[index] >>> 32) + successes, MAX_COUNT);
    long grownFailures = Math.min((next[index] & 0xFFFF_FFFFL) + failures, MAX_COUNT);
    next[index] = grownSuccesses << 32 | grownFailures;
    return new OutcomeWindow(bucketMs, Math.max(bucket, newest), next);
  }

  /** Successes in the window that ends at the given time. */
  public int successes(long atMs) {
    return (int) (sum(atMs) >>> 32);
  }

  /** Penalised failures in the window that ends at the given time. */
  public int failures(long atMs) {
    return (int) sum(atMs);
  }

  private long sum(long atMs) {
    long last = Math.max(Math.floorDiv(atMs, bucketMs), newest);
    long sum = 0;
    for (long i = last - BUCKETS + 1; i <= newest; i++) {
      sum += counts[index(i)];
    }
    return sum;
  }

  private static int index(long bucket) {
    return (int) Math.floorMod(bucket, (long) BUCKETS);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OutcomeWindow window
        && bucketMs == window.bucketMs
        && newest == window.newest
        && Arrays.equals(counts, window.counts);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(newest) * 31 + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    long end = newest * bucketMs;
    return "successes=" + successes(end) + " failures=" + failures(end);
  }
}
