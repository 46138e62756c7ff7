package dev.lasso.health;

import dev.lasso.engine.settings.CircuitSettings;
import dev.lasso.engine.settings.RateLimitSettings;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/** The settings of the role. */
final class HealthSettings {
  private static final HealthPolicy DEFAULT = HealthPolicy.DEFAULT;

  static final Setting<Duration> TICK =
      Setting.duration(
          "LASSO_PROBE_TICK",
          Duration.ofMillis(200),
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "Time between two looks of a health process at which probes are due. It starts one at a"
              + " time, and more only when its endpoints are too many for that.");

  static final Setting<Duration> TIMEOUT =
      Setting.duration(
          "LASSO_PROBE_TIMEOUT",
          Duration.ofSeconds(4),
          Duration.ofMillis(50),
          Duration.ofMinutes(2),
          "How long an endpoint may take for each answer of a probe.");

  static final Setting<Duration> RECOVERING_INTERVAL =
      Setting.duration(
          "LASSO_PROBE_RECOVERING_INTERVAL",
          Duration.ofSeconds(1),
          Duration.ofMillis(10),
          Duration.ofHours(1),
          "Longest time between probes of an endpoint that answers while its circuit is not"
              + " closed.");

  private static final Setting<Duration> EVIDENCE =
      Setting.duration(
          "LASSO_HEALTH_EVIDENCE_AGE",
          Duration.ofMillis(DEFAULT.staleMs()),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          "Probes and attempts older than this say nothing about now and open no circuit.");

  private static final Setting<Duration> LEARNED =
      Setting.duration(
          "LASSO_LEARNED_LIMIT_AGE",
          Duration.ofMillis(DEFAULT.learnedMs()),
          Duration.ofSeconds(1),
          Duration.ofDays(7),
          "How long a limit that a provider named, such as its block range, is kept to after it was"
              + " last met.");

  private static final Setting<Integer> MAX_LEARNED =
      Setting.integer(
          "LASSO_LEARNED_LIMITS",
          DEFAULT.maxLearned(),
          1,
          100_000,
          "limits",
          "Learned limits kept for one endpoint.");

  private static final Setting<Integer> DEGRADED_AFTER =
      Setting.integer(
          "LASSO_HEALTH_DEGRADED_AFTER",
          DEFAULT.degradedAfter(),
          1,
          10_000,
          "failures",
          "Failures in a row from which an endpoint is called degraded.");

  static final Setting<Integer> THREADS =
      Setting.integer(
          "LASSO_HEALTH_THREADS",
          1,
          1,
          64,
          "threads",
          "Streams threads of a health process that fold partitions side by side.");

  /** The group. */
  static final SettingGroup GROUP =
      SettingGroup.of(
          "Health of providers",
          "health. How often each endpoint is probed is `monitoring.probe_interval_ms` of the"
              + " profile.",
          List.of(
              TICK,
              TIMEOUT,
              RECOVERING_INTERVAL,
              EVIDENCE,
              LEARNED,
              MAX_LEARNED,
              DEGRADED_AFTER,
              THREADS));

  private HealthSettings() {}

  /** The numbers of the fold. */
  static HealthPolicy policy(Settings settings) {
    return new HealthPolicy(
        CircuitSettings.from(settings),
        RateLimitSettings.from(settings),
        settings.get(EVIDENCE).toMillis(),
        settings.get(LEARNED).toMillis(),
        settings.get(MAX_LEARNED),
        settings.get(DEGRADED_AFTER));
  }
}
