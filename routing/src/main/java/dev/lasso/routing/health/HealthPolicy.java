package dev.lasso.routing.health;

import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.ratelimit.RateLimitPolicy;

/**
 * The numbers of the health fold.
 *
 * @param circuit the fleet circuit's
 * @param rateLimit the fleet's rate-limit deadlines'
 * @param staleMs evidence older than this says nothing about now: a process that was behind must
 *     not open circuits for what is long over
 * @param learnedMs how long a learned limit is remembered after it was last met, milliseconds
 * @param maxLearned limits remembered per endpoint; method names are the callers', so they must not
 *     grow without bound
 * @param degradedAfter failures in a row from which a closed endpoint is called degraded
 */
public record HealthPolicy(
    CircuitPolicy circuit,
    RateLimitPolicy rateLimit,
    long staleMs,
    long learnedMs,
    int maxLearned,
    int degradedAfter) {
  public static final HealthPolicy DEFAULT =
      new HealthPolicy(CircuitPolicy.DEFAULT, RateLimitPolicy.DEFAULT, 30_000, 600_000, 64, 3);

  /**
   * @throws IllegalArgumentException when a number is not positive
   */
  public HealthPolicy {
    if (staleMs < 1 || learnedMs < 1 || maxLearned < 1 || degradedAfter < 1) {
      throw new IllegalArgumentException(
          "staleMs, learnedMs, maxLearned and degradedAfter must be positive");
    }
  }
}
