package dev.lasso.engine.pipeline;

import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.select.Evidence;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the request path (routing page, "Errors").
 *
 * @param maxAttempts most channels that one request is sent to
 * @param attemptShare most of the deadline that one attempt may take while others remain, 0 to 1
 * @param hedgeBudget most hedges per request, as a share of requests, 0 to 1
 * @param hedgeReserve hedges that quiet times may save up, for each event loop
 * @param trialFollowMs how long a half-open channel may lead before the next one is asked too
 * @param minHedgeMs shortest wait before a hedge
 * @param headFromConsensus whether {@code eth_blockNumber} is answered with the chain's consensus
 *     height while that is fresh
 * @param maxSharedBytes most bytes of an answer that are held so that callers who asked the same at
 *     once share it; a longer one goes to one of them, and the others ask for themselves
 * @param maxSessions sessions whose height is remembered at a time
 * @param sessionIdle how long after its last request
 */
public record EnginePolicy(
    int maxAttempts,
    double attemptShare,
    double hedgeBudget,
    int hedgeReserve,
    long trialFollowMs,
    long minHedgeMs,
    boolean headFromConsensus,
    int maxSharedBytes,
    int maxSessions,
    Duration sessionIdle) {
  public static final EnginePolicy DEFAULT =
      new EnginePolicy(4, 0.6, 0.1, 10, 250, 20, false, 2 << 20, 100_000, Duration.ofMinutes(10));

  /**
   * How long one attempt may take, milliseconds.
   *
   * @param deadlineMs what the whole request may take
   * @param remainingMs what is left of it, at least 1
   * @param more whether other channels remain
   */
  public long timeoutMs(long deadlineMs, long remainingMs, boolean more) {
    return more
        ? Math.clamp((long) ((double) deadlineMs * attemptShare), 1, remainingMs)
        : remainingMs;
  }

  /**
   * How long the attempts of a request may be out before a further one starts beside them,
   * milliseconds; empty for never.
   *
   * @param rule what the profile says for the method
   * @param measured what was measured of the first channel and the method, or null for nothing;
   *     asked only where the rule goes by it
   */
  public OptionalLong hedgeAfterMs(Hedge rule, Supplier<@Nullable Evidence> measured) {
    if (!rule.enabled()) {
      return OptionalLong.empty();
    }
    return switch (rule.after()) {
      case Hedge.After.Fixed(int fixedMs) -> OptionalLong.of(fixedMs);
      case Hedge.After.UsualLatency _ -> {
        Evidence usual = measured.get();
        yield usual == null
            ? OptionalLong.empty()
            : OptionalLong.of(Math.max(minHedgeMs, (long) usual.p95Ms()));
      }
    };
  }
}
