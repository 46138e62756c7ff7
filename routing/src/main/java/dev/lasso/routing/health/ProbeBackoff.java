package dev.lasso.routing.health;

import java.util.random.RandomGenerator;

/**
 * How long an endpoint is left alone after failed probes (seed page architecture, "Backoff
 * Schedule"), spread so that endpoints that failed together are not probed together.
 */
public final class ProbeBackoff {
  private static final double JITTER = 0.1;
  private static final long[] DELAYS_MS = {0, 0, 2_000, 4_000, 8_000, 16_000, 30_000};

  private ProbeBackoff() {}

  /**
   * Milliseconds from the last probe until the next may follow.
   *
   * @param consecutiveFailures failed probes in a row, 0 or more
   * @param random spreads the delay by a tenth either way
   */
  public static long delayMs(int consecutiveFailures, RandomGenerator random) {
    long delayMs = DELAYS_MS[Math.min(consecutiveFailures, DELAYS_MS.length - 1)];
    double spread = 1 + JITTER * (2 * random.nextDouble() - 1);
    return Math.round((double) delayMs * spread);
  }
}
