package dev.lasso.engine.settings;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/** The numbers of the request path. */
public final class AttemptSettings {
  private static final EnginePolicy DEFAULT = EnginePolicy.DEFAULT;

  private static final Setting<Integer> MAX_ATTEMPTS =
      Setting.integer(
          "LASSO_MAX_ATTEMPTS",
          DEFAULT.maxAttempts(),
          1,
          16,
          "channels",
          "Most channels that one request is sent to.");

  private static final Setting<Double> ATTEMPT_SHARE =
      Setting.decimal(
          "LASSO_ATTEMPT_SHARE",
          DEFAULT.attemptShare(),
          0.05,
          1,
          "share of the deadline",
          "Most of its deadline that a request gives to one attempt while other channels remain.");

  private static final Setting<Double> HEDGE_BUDGET =
      Setting.decimal(
          "LASSO_HEDGE_BUDGET",
          DEFAULT.hedgeBudget(),
          0,
          1,
          "hedges per request",
          "Most parallel second attempts, as a share of all requests.");

  private static final Setting<Integer> HEDGE_RESERVE =
      Setting.integer(
          "LASSO_HEDGE_RESERVE",
          DEFAULT.hedgeReserve(),
          1,
          100_000,
          "hedges",
          "Parallel second attempts that quiet times may save up, for each event loop.");

  private static final Setting<Duration> TRIAL_FOLLOW =
      Setting.duration(
          "LASSO_TRIAL_FOLLOW",
          Duration.ofMillis(DEFAULT.trialFollowMs()),
          Duration.ZERO,
          Duration.ofMinutes(1),
          "How long a recovering provider may keep a request before the next one is asked as"
              + " well.");

  private static final Setting<Duration> MIN_HEDGE =
      Setting.duration(
          "LASSO_MIN_HEDGE",
          Duration.ofMillis(DEFAULT.minHedgeMs()),
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "Shortest wait before a parallel second attempt.");

  private static final Setting<Boolean> HEAD_FROM_CONSENSUS =
      Setting.flag(
          "LASSO_HEAD_FROM_CONSENSUS",
          DEFAULT.headFromConsensus(),
          "Whether eth_blockNumber is answered with the height that the chain's providers agree on,"
              + " while that is fresh, without asking one of them.");

  private static final Setting<Integer> MAX_SHARED =
      Setting.integer(
          "LASSO_COALESCE_MAX_BYTES",
          DEFAULT.maxSharedBytes(),
          1_024,
          256 << 20,
          "bytes",
          "Most of an answer that is held for callers who asked the same at once; of a longer one,"
              + " one of them gets this answer and the others ask for themselves.");

  private static final Setting<Integer> MAX_SESSIONS =
      Setting.integer(
          "LASSO_MAX_SESSIONS",
          DEFAULT.maxSessions(),
          1,
          100_000_000,
          "sessions",
          "Sessions (X-Lasso-Session) whose height is remembered at a time; beyond it, those"
              + " seldom used are forgotten.");

  private static final Setting<Duration> SESSION_IDLE =
      Setting.duration(
          "LASSO_SESSION_IDLE",
          DEFAULT.sessionIdle(),
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "How long a session's height is remembered after its last request.");

  /** The group. */
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

  private AttemptSettings() {}

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
}
