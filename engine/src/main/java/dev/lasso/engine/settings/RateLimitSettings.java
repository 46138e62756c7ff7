package dev.lasso.engine.settings;

import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The numbers of rate-limit deadlines. Every process reads the same ones, so that a gateway's own
 * deadlines and the fleet's in health-service follow one rule.
 */
public final class RateLimitSettings {
  private static final RateLimitPolicy DEFAULT = RateLimitPolicy.DEFAULT;

  private static final Setting<Duration> MIN_HINT =
      Setting.duration(
          "LASSO_RATE_LIMIT_MIN_HINT",
          Duration.ofMillis(DEFAULT.minMs()),
          Duration.ofSeconds(1),
          Duration.ofMinutes(10),
          "Least that a provider's own hint (Retry-After and the like) is taken for.");

  private static final Setting<Duration> MAX_HINT =
      Setting.duration(
          "LASSO_RATE_LIMIT_MAX_HINT",
          Duration.ofMillis(DEFAULT.maxHintMs()),
          Duration.ofSeconds(1),
          Duration.ofMinutes(10),
          "Most that a provider's own hint is taken for.");

  private static final Setting<Duration> COOL_DOWN =
      Setting.duration(
          "LASSO_RATE_LIMIT_COOL_DOWN",
          Duration.ofMillis(DEFAULT.coolDownMs()),
          Duration.ofMillis(10),
          Duration.ofHours(1),
          "Deadline after a refusal without a hint; doubles while refusals repeat.");

  private static final Setting<Duration> MAX_COOL_DOWN =
      Setting.duration(
          "LASSO_RATE_LIMIT_MAX_COOL_DOWN",
          Duration.ofMillis(DEFAULT.maxCoolDownMs()),
          Duration.ofMillis(10),
          Duration.ofDays(1),
          "Longest deadline without a hint.");

  private static final Setting<Duration> QUOTA =
      Setting.duration(
          "LASSO_QUOTA_COOL_DOWN",
          Duration.ofMillis(DEFAULT.quotaMs()),
          Duration.ofMillis(10),
          Duration.ofDays(1),
          "Deadline after a used-up quota without a hint; doubles while refusals repeat.");

  private static final Setting<Duration> MAX_QUOTA =
      Setting.duration(
          "LASSO_QUOTA_MAX_COOL_DOWN",
          Duration.ofMillis(DEFAULT.maxQuotaMs()),
          Duration.ofMillis(10),
          Duration.ofDays(7),
          "Longest deadline after a used-up quota without a hint.");

  private static final Setting<Duration> QUIET =
      Setting.duration(
          "LASSO_RATE_LIMIT_QUIET",
          Duration.ofMillis(DEFAULT.quietMs()),
          Duration.ZERO,
          Duration.ofDays(1),
          "Time after a deadline without another refusal, after which repeats are " + "forgotten.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
              "Rate limits of providers",
              "Every process that calls providers, for its own deadlines, and health-service "
                  + "for the fleet's. A provider is left alone until its deadline while others can "
                  + "serve.",
              List.of(MIN_HINT, MAX_HINT, COOL_DOWN, MAX_COOL_DOWN, QUOTA, MAX_QUOTA, QUIET))
          .notBelow(MAX_HINT, MIN_HINT)
          .notBelow(MAX_COOL_DOWN, COOL_DOWN)
          .notBelow(MAX_QUOTA, QUOTA);

  private RateLimitSettings() {}

  /** From a process's settings. */
  public static RateLimitPolicy from(Settings settings) {
    return new RateLimitPolicy(
        settings.get(MIN_HINT).toMillis(),
        settings.get(MAX_HINT).toMillis(),
        settings.get(COOL_DOWN).toMillis(),
        settings.get(MAX_COOL_DOWN).toMillis(),
        settings.get(QUOTA).toMillis(),
        settings.get(MAX_QUOTA).toMillis(),
        settings.get(QUIET).toMillis());
  }
}
