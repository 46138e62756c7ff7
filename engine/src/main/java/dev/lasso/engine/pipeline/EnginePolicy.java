package dev.lasso.engine.pipeline;

import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.select.Evidence;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
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
  private static final Setting<Integer> MAX_ATTEMPTS =
      Setting.integer(
          "LASSO_MAX_ATTEMPTS", 4, 1, 16, "channels", "Most channels that one request is sent to.");

  private static final Setting<Double> ATTEMPT_SHARE =
      Setting.decimal(
          "LASSO_ATTEMPT_SHARE",
          0.6,
          0.05,
          1,
          "share of the deadline",
          "Most of its deadline that a request gives to one attempt while other channels remain.");

  private static final Setting<Double> HEDGE_BUDGET =
      Setting.decimal(
          "LASSO_HEDGE_BUDGET",
          0.1,
          0,
          1,
          "hedges per request",
          "Most parallel second attempts, as a share of all requests.");

  private static final Setting<Integer> HEDGE_RESERVE =
      Setting.integer(
          "LASSO_HEDGE_RESERVE",
          10,
          1,
          100_000,
          "hedges",
          "Parallel second attempts that quiet times may save up, for each event loop.");

  private static final Setting<Duration> TRIAL_FOLLOW =
      Setting.duration(
          "LASSO_TRIAL_FOLLOW",
          Duration.ofMillis(250),
          Duration.ZERO,
          Duration.ofMinutes(1),
          "How long a recovering provider may keep a request before the next one is asked as"
              + " well.");

  private static final Setting<Duration> MIN_HEDGE =
      Setting.duration(
          "LASSO_MIN_HEDGE",
          Duration.ofMillis(20),
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "Shortest wait before a parallel second attempt.");

  private static final Setting<Boolean> HEAD_FROM_CONSENSUS =
      Setting.flag(
          "LASSO_HEAD_FROM_CONSENSUS",
          false,
          "Whether eth_blockNumber is answered with the height that the chain's providers agree on,"
              + " while that is fresh, without asking one of them.");

  private static final Setting<Integer> MAX_SHARED =
      Setting.integer(
          "LASSO_COALESCE_MAX_BYTES",
          2 << 20,
          1_024,
          256 << 20,
          "bytes",
          "Most of an answer that is held for callers who asked the same at once; of a longer one,"
              + " one of them gets this answer and the others ask for themselves.");

  private static final Setting<Integer> MAX_SESSIONS =
      Setting.integer(
          "LASSO_MAX_SESSIONS",
          100_000,
          1,
          100_000_000,
          "sessions",
          "Sessions (X-Lasso-Session) whose height is remembered at a time; beyond it, those"
              + " seldom used are forgotten.");

  private static final Setting<Duration> SESSION_IDLE =
      Setting.duration(
          "LASSO_SESSION_IDLE",
          Duration.ofMinutes(10),
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "How long a session's height is remembered after its last request.");

  /** What can be set. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
          "Attempts of a request",
          "The processes that serve requests: gateway and subscription.",
          List.of(
              MAX_ATTEMPTS,
              ATTEMPT_SHARE,
              HEDGE_BUDGET,
              HEDGE_RESERVE,
              TRIAL_FOLLOW,
              MIN_HEDGE,
              HEAD_FROM_CONSENSUS,
              MAX_SHARED,
              MAX_SESSIONS,
              SESSION_IDLE));

  public static final EnginePolicy DEFAULT =
      new EnginePolicy(4, 0.6, 0.1, 10, 250, 20, false, 2 << 20, 100_000, Duration.ofMinutes(10));

  /** From a process's settings. */
  public static EnginePolicy from(Settings settings) {
    return new EnginePolicy(
        settings.get(MAX_ATTEMPTS),
        settings.get(ATTEMPT_SHARE),
        settings.get(HEDGE_BUDGET),
        settings.get(HEDGE_RESERVE),
        settings.get(TRIAL_FOLLOW).toMillis(),
        settings.get(MIN_HEDGE).toMillis(),
        settings.get(HEAD_FROM_CONSENSUS),
        settings.get(MAX_SHARED),
        settings.get(MAX_SESSIONS),
        settings.get(SESSION_IDLE));
  }

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
   * @param usual what was measured of the first channel and the method, or null for nothing
   */
  public OptionalLong hedgeAfterMs(Hedge rule, @Nullable Evidence usual) {
    if (!rule.enabled()) {
      return OptionalLong.empty();
    }
    return switch (rule.after()) {
      case Hedge.After.Fixed(int fixedMs) -> OptionalLong.of(fixedMs);
      case Hedge.After.UsualLatency _ ->
          usual == null
              ? OptionalLong.empty()
              : OptionalLong.of(Math.max(minHedgeMs, (long) usual.p95Ms()));
    };
  }
}
