package dev.lasso.routing.ratelimit;

import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.errors.ErrorClass.Cooldown;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Until when one endpoint asked to be left alone, and how often in a row. Immutable; {@link
 * #evolve} makes the next one. Kept by each process for its own attempts and by health-service for
 * everyone's. Times are milliseconds since the epoch.
 *
 * <p>Many requests are under way when a limit is hit, and all of them are refused. So refusals
 * before the deadline are no repeats and a burst does not run up the cool-down; a hint that reaches
 * further still moves the deadline.
 *
 * @param untilMs end of the deadline; 0 when there never was one
 * @param repeats how many deadlines in a row were set; 0 when none or forgotten
 */
public record RateLimitState(long untilMs, int repeats) {
  public static final RateLimitState NONE = new RateLimitState(0, 0);

  private static final int MAX_REPEATS = 1_000;

  /** Whether the deadline is running. */
  public boolean limitedAt(long atMs) {
    return atMs < untilMs;
  }

  /** The same, ending so many milliseconds earlier. */
  public RateLimitState earlier(long byMs) {
    return untilMs == 0 ? this : new RateLimitState(Math.max(1, untilMs - byMs), repeats);
  }

  /**
   * The state after an attempt or a probe ended.
   *
   * @param outcome how it ended; only refusals for rate or quota set a deadline, only a success
   *     after the deadline forgets repeats
   * @param atMs when it ended
   */
  public RateLimitState evolve(AttemptOutcome outcome, long atMs, RateLimitPolicy policy) {
    return switch (outcome) {
      case Failure failure -> refused(failure.errorClass(), failure.retryAfterMs(), atMs, policy);
      case AttemptOutcome.Success _ -> repeats > 0 && atMs >= untilMs ? lessRepeats() : this;
      case AttemptOutcome.Cancelled _ -> this;
    };
  }

  /** The state once time has passed: repeats are forgotten after a quiet while. */
  public RateLimitState evolve(long atMs, RateLimitPolicy policy) {
    return repeats > 0 && atMs >= untilMs + policy.quietMs()
        ? new RateLimitState(untilMs, 0)
        : this;
  }

  private RateLimitState refused(
      ErrorClass errorClass, @Nullable Long hintMs, long atMs, RateLimitPolicy policy) {
    if (errorClass.cooldown() == Cooldown.NONE) {
      return this;
    }
    if (limitedAt(atMs)) {
      long hintedUntilMs = hintMs == null ? 0 : atMs + clamped(hintMs, policy);
      return hintedUntilMs > untilMs ? new RateLimitState(hintedUntilMs, repeats) : this;
    }
    int before = evolve(atMs, policy).repeats;
    long lengthMs =
        hintMs != null
            ? clamped(hintMs, policy)
            : coolDownMs(errorClass.cooldown(), before, policy);
    return new RateLimitState(atMs + lengthMs, Math.min(before + 1, MAX_REPEATS));
  }

  private static long clamped(long hintMs, RateLimitPolicy policy) {
    return Math.clamp(hintMs, policy.minMs(), policy.maxHintMs());
  }

  /** A success is no proof that the limit is far, so repeats halve rather than vanish. */
  private RateLimitState lessRepeats() {
    return new RateLimitState(untilMs, repeats / 2);
  }

  private static long coolDownMs(Cooldown cooldown, int repeatsBefore, RateLimitPolicy policy) {
    return switch (cooldown) {
      case NONE -> 0;
      case RATE_LIMIT -> doubled(policy.coolDownMs(), repeatsBefore, policy.maxCoolDownMs());
      case QUOTA -> doubled(policy.quotaMs(), repeatsBefore, policy.maxQuotaMs());
    };
  }

  private static long doubled(long startMs, int times, long maxMs) {
    return (long) Math.min(Math.scalb((double) startMs, Math.min(times, 62)), (double) maxMs);
  }
}
