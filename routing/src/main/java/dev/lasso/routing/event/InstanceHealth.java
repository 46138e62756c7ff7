package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.Region;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the fleet of one region knows of one endpoint. Topic {@code instance-health}.
 *
 * @param region whose view
 * @param chain the chain it serves
 * @param endpoint what it is about
 * @param atMs when this version was made
 * @param status the operator's word
 * @param circuit the fleet circuit
 * @param openUntilMs when an open circuit turns half-open; 0 unless open
 * @param reopenings how many times it reopened without closing
 * @param trialSuccesses successes counted while half-open
 * @param rateLimitedUntilMs end of the rate-limit deadline; 0 when none
 * @param rateLimitRepeats how often in a row a deadline was set
 * @param consecutiveFailures penalised failures since the last success
 * @param consecutiveSuccesses successes since the last penalised failure
 * @param chainIdSeen the wrong chain id it answers, or null when it is right or not known
 * @param lastError the last failure, or null when there was none
 * @param lastErrorAtMs when it was; 0 when there was none
 * @param lastProbeAtMs when it was probed last; 0 when never
 * @param learned limits learned at run time, unexpired at {@code atMs}
 */
public record InstanceHealth(
    Region region,
    ChainId chain,
    Endpoint endpoint,
    long atMs,
    HealthStatus status,
    CircuitStatus circuit,
    long openUntilMs,
    int reopenings,
    int trialSuccesses,
    long rateLimitedUntilMs,
    int rateLimitRepeats,
    int consecutiveFailures,
    int consecutiveSuccesses,
    @Nullable Long chainIdSeen,
    @Nullable Failure lastError,
    long lastErrorAtMs,
    long lastProbeAtMs,
    List<LearnedLimit> learned) {
  private static final long CLOCKS_MAY_DIFFER_MS = 10_000;

  public InstanceHealth {
    learned = List.copyOf(learned);
  }

  /**
   * The same, as a process whose clock is right would have written it: where it was made in the
   * future by more than clocks may differ, every moment moves back by as much, so that no deadline
   * is longer than meant.
   *
   * @param nowMs when it is read
   */
  public InstanceHealth withoutFuture(long nowMs) {
    long aheadMs = atMs - nowMs;
    if (aheadMs <= CLOCKS_MAY_DIFFER_MS) {
      return this;
    }
    return new InstanceHealth(
        region,
        chain,
        endpoint,
        nowMs,
        status,
        circuit,
        earlier(openUntilMs, aheadMs),
        reopenings,
        trialSuccesses,
        earlier(rateLimitedUntilMs, aheadMs),
        rateLimitRepeats,
        consecutiveFailures,
        consecutiveSuccesses,
        chainIdSeen,
        lastError,
        earlier(lastErrorAtMs, aheadMs),
        earlier(lastProbeAtMs, aheadMs),
        learned.stream().map(limit -> limit.earlier(aheadMs)).toList());
  }

  private static long earlier(long ms, long byMs) {
    return ms == 0 ? 0 : Math.max(1, ms - byMs);
  }
}
