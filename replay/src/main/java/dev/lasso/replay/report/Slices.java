package dev.lasso.replay.report;

/**
 * A period cut into slices of equal length.
 *
 * @param fromMs start of the period, milliseconds since the epoch
 * @param toMs its end
 * @param count number of slices
 */
record Slices(long fromMs, long toMs, int count) {
  private static final int MOST = 300;
  private static final long SHORTEST_MS = 2_000;

  static Slices of(long fromMs, long toMs) {
    long lengthMs = Math.max(1, toMs - fromMs);
    return new Slices(fromMs, toMs, Math.clamp(lengthMs / SHORTEST_MS, 1, MOST));
  }

  /** The slice that a moment lies in; the first or the last for one outside. */
  int of(long atMs) {
    return Math.clamp((atMs - fromMs) * count / Math.max(1, toMs - fromMs), 0, count - 1);
  }
}
