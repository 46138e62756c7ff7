package dev.lasso.health;

import dev.lasso.runtime.settings.Setting;
import java.time.Duration;
import java.util.List;

/** The settings of the role. */
final class HealthSettings {
  static final Setting<Duration> TICK =
      Setting.duration(
          "LASSO_PROBE_TICK",
          Duration.ofMillis(200),
          "Time between two probes that a health process starts, each of one endpoint.");

  static final Setting<Duration> TIMEOUT =
      Setting.duration(
          "LASSO_PROBE_TIMEOUT",
          Duration.ofSeconds(4),
          "How long an endpoint may take for each answer of a probe.");

  static final Setting<Integer> THREADS =
      Setting.integer(
          "LASSO_HEALTH_THREADS",
          1,
          1,
          64,
          "threads",
          "Streams threads of a health process that fold partitions side by side.");

  static final List<Setting<?>> ALL = List.of(TICK, TIMEOUT, THREADS);

  private HealthSettings() {}
}
