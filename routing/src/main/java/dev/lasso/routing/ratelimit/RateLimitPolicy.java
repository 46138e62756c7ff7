package dev.lasso.routing.ratelimit;

/**
 * The numbers of rate-limit deadlines (routing page, "Rate limit"), all in milliseconds.
 *
 * @param minMs least deadline that a provider's own hint can set
 * @param maxHintMs greatest deadline that a provider's own hint can set
 * @param coolDownMs deadline without a hint; doubles while limits repeat
 * @param maxCoolDownMs greatest deadline without a hint
 * @param quotaMs deadline of a used-up quota without a hint; doubles while it repeats
 * @param maxQuotaMs greatest deadline of a used-up quota without a hint
 * @param quietMs after a deadline and this long without another limit, repeats are forgotten
 */
public record RateLimitPolicy(
    long minMs,
    long maxHintMs,
    long coolDownMs,
    long maxCoolDownMs,
    long quotaMs,
    long maxQuotaMs,
    long quietMs) {
  public static final RateLimitPolicy DEFAULT =
      new RateLimitPolicy(1_000, 600_000, 1_000, 300_000, 60_000, 3_600_000, 60_000);

  /**
   * @throws IllegalArgumentException naming the pair of numbers that do not fit together
   */
  public RateLimitPolicy {
    requireOrdered("minMs", minMs, "maxHintMs", maxHintMs);
    requireOrdered("coolDownMs", coolDownMs, "maxCoolDownMs", maxCoolDownMs);
    requireOrdered("quotaMs", quotaMs, "maxQuotaMs", maxQuotaMs);
    if (quietMs < 0) {
      throw new IllegalArgumentException("quietMs must not be negative, was " + quietMs);
    }
  }

  private static void requireOrdered(String low, long lowMs, String high, long highMs) {
    if (lowMs < 1 || highMs < lowMs) {
      throw new IllegalArgumentException(
          "1 <= %s <= %s expected, was %d and %d".formatted(low, high, lowMs, highMs));
    }
  }
}
