package dev.lasso.routing.health;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.Region;
import dev.lasso.routing.circuit.CircuitState;
import dev.lasso.routing.circuit.CircuitState.Closed;
import dev.lasso.routing.circuit.CircuitState.HalfOpen;
import dev.lasso.routing.circuit.CircuitState.Open;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.ratelimit.RateLimitState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the fleet of one region knows of one endpoint. Immutable; {@link Health} makes the next one.
 * Times are milliseconds since the epoch.
 *
 * @param chain the chain it serves, as profiles say
 * @param circuit the fleet circuit
 * @param rateLimit the fleet's deadline
 * @param consecutiveFailures penalised failures of attempts and probes since the last success
 * @param consecutiveSuccesses successes since the last penalised failure
 * @param chainIdSeen the wrong chain id it answers, or null when it is right or not known
 * @param lastError the last failure, or null when there was none
 * @param lastErrorAtMs when it was; 0 when there was none
 * @param lastProbeAtMs when it was probed last; 0 when never
 * @param learned what it was seen to be unable to do
 */
public record EndpointHealth(
    ChainId chain,
    CircuitState circuit,
    RateLimitState rateLimit,
    int consecutiveFailures,
    int consecutiveSuccesses,
    @Nullable Long chainIdSeen,
    @Nullable Failure lastError,
    long lastErrorAtMs,
    long lastProbeAtMs,
    List<LearnedLimit> learned) {
  public EndpointHealth {
    learned = List.copyOf(learned);
  }

  /**
   * The same, of a process whose clock was ahead: where the newest moment lies in the future by
   * more than clocks may, every moment moves back by as much, so that no deadline is longer than
   * meant.
   *
   * @param atMs now
   */
  public EndpointHealth withoutFuture(long atMs) {
    long newestMs = Math.max(circuit.sinceMs(), Math.max(lastErrorAtMs, lastProbeAtMs));
    long aheadMs = newestMs - atMs;
    if (aheadMs <= Health.TRUSTED_AGE_MS) {
      return this;
    }
    return new EndpointHealth(
        chain,
        circuit.earlier(aheadMs),
        rateLimit.earlier(aheadMs),
        consecutiveFailures,
        consecutiveSuccesses,
        chainIdSeen,
        lastError,
        Math.max(0, lastErrorAtMs - aheadMs),
        Math.max(0, lastProbeAtMs - aheadMs),
        learned.stream().map(limit -> limit.earlier(aheadMs)).toList());
  }

  /** An endpoint that nobody has tried yet. */
  public static EndpointHealth unknown(ChainId chain, HealthPolicy policy) {
    return new EndpointHealth(
        chain,
        CircuitState.initial(policy.circuit()),
        RateLimitState.NONE,
        0,
        0,
        null,
        null,
        0,
        0,
        List.of());
  }

  /** The operator's word at a moment. */
  public HealthStatus status(long atMs, HealthPolicy policy) {
    if (chainIdSeen != null) {
      return HealthStatus.UNAVAILABLE;
    }
    return switch (circuit.statusAt(atMs)) {
      case OPEN -> HealthStatus.UNAVAILABLE;
      case HALF_OPEN -> HealthStatus.DEGRADED;
      case CLOSED -> {
        if (rateLimit.limitedAt(atMs) || consecutiveFailures >= policy.degradedAfter()) {
          yield HealthStatus.DEGRADED;
        }
        boolean tried = consecutiveSuccesses > 0 || consecutiveFailures > 0;
        yield tried ? HealthStatus.HEALTHY : HealthStatus.UNKNOWN;
      }
    };
  }

  /** The value that the topic carries. */
  public InstanceHealth toInstanceHealth(
      Region region, Endpoint endpoint, long atMs, HealthPolicy policy) {
    return new InstanceHealth(
        region,
        chain,
        endpoint,
        atMs,
        status(atMs, policy),
        circuit.statusAt(atMs),
        circuit instanceof Open open && atMs < open.untilMs() ? open.untilMs() : 0,
        reopenings(),
        circuit instanceof HalfOpen halfOpen ? halfOpen.successes() : 0,
        rateLimit.limitedAt(atMs) ? rateLimit.untilMs() : 0,
        rateLimit.repeats(),
        consecutiveFailures,
        consecutiveSuccesses,
        chainIdSeen,
        lastError,
        lastErrorAtMs,
        lastProbeAtMs,
        LearnedLimits.unexpired(learned, atMs));
  }

  private int reopenings() {
    return switch (circuit) {
      case Closed _ -> 0;
      case Open open -> open.reopenings();
      case HalfOpen halfOpen -> halfOpen.reopenings();
    };
  }
}
