package dev.lasso.routing.profile;

/**
 * How client subscriptions of a chain are kept continuous (seed page websocket-subscriptions,
 * "Configuration").
 *
 * @param maxBackfillBlocks longest gap that is filled, in blocks; 0 fills none
 * @param backfillTimeoutMs time that filling one gap may take, 100 ms to 10 min
 * @param continuityPolicy what happens to a longer gap
 * @param dedupeMaxItems events remembered to drop duplicates
 * @param dedupeMaxAgeMs how long they are remembered
 * @param maxFailoverAttempts refills tried within {@code failoverCooldownMs} before the stream is
 *     degraded
 * @param failoverCooldownMs the window over which they are counted
 * @param maxEventBuffer events held back while a gap is filled
 */
public record SubscriptionSettings(
    int maxBackfillBlocks,
    int backfillTimeoutMs,
    ContinuityPolicy continuityPolicy,
    int dedupeMaxItems,
    int dedupeMaxAgeMs,
    int maxFailoverAttempts,
    int failoverCooldownMs,
    int maxEventBuffer) {
  public static final SubscriptionSettings DEFAULT =
      new SubscriptionSettings(
          32, 30_000, ContinuityPolicy.BEST_EFFORT, 256, 30_000, 3, 5_000, 100);

  public SubscriptionSettings {
    Require.between("max_backfill_blocks", maxBackfillBlocks, 0, 100_000);
    Require.between("backfill_timeout", backfillTimeoutMs, 100, 600_000);
    Require.between("dedupe_max_items", dedupeMaxItems, 1, 1_000_000);
    Require.between("dedupe_max_age_ms", dedupeMaxAgeMs, 1, 3_600_000);
    Require.between("max_failover_attempts", maxFailoverAttempts, 1, 1_000);
    Require.between("failover_cooldown_ms", failoverCooldownMs, 1, 3_600_000);
    Require.between("max_event_buffer", maxEventBuffer, 1, 1_000_000);
  }

  /** What happens when a gap is longer than may be filled. */
  public enum ContinuityPolicy {
    /** What can be filled is, newest first, and the stream goes on. */
    BEST_EFFORT("best_effort"),
    /** The subscription ends with an error. */
    STRICT_ABORT("strict_abort");

    private final String word;

    ContinuityPolicy(String word) {
      this.word = word;
    }

    /** The word in profile files. */
    public String word() {
      return word;
    }
  }
}
