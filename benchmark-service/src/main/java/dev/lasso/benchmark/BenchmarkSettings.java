package dev.lasso.benchmark;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/** The settings of the role. */
final class BenchmarkSettings {
  static final Setting<Duration> WINDOW =
      Setting.duration(
          "LASSO_BENCHMARK_WINDOW",
          BenchmarkPolicy.DEFAULT.window(),
          Duration.ofSeconds(1),
          Duration.ofDays(7),
          "How far back latency and success evidence counts.");

  static final Setting<Integer> BUCKETS =
      Setting.integer(
          "LASSO_BENCHMARK_BUCKETS",
          BenchmarkPolicy.DEFAULT.buckets(),
          1,
          600,
          "slices",
          "Slices of the window; evidence leaves it a slice at a time.");

  static final Setting<Duration> PUBLISH_INTERVAL =
      Setting.duration(
          "LASSO_BENCHMARK_PUBLISH_INTERVAL",
          BenchmarkPolicy.DEFAULT.publishInterval(),
          Duration.ofMillis(10),
          Duration.ofMinutes(10),
          "Shortest time between two versions of one row of provider-metrics.");

  static final Setting<Duration> IDLE =
      Setting.duration(
          "LASSO_BENCHMARK_IDLE",
          BenchmarkPolicy.DEFAULT.idle(),
          Duration.ofSeconds(10),
          Duration.ofDays(30),
          "How long nothing is told about a row of provider-metrics before it is removed.");

  static final Setting<Integer> UNLISTED_METHODS =
      Setting.integer(
          "LASSO_BENCHMARK_UNLISTED_METHODS",
          BenchmarkPolicy.DEFAULT.maxUnlistedMethods(),
          0,
          100_000,
          "methods",
          "For each channel and partition, how many methods outside the method table get rows of"
              + " their own; what is beyond shares the row other.");

  static final Setting<Integer> HALF_CONFIDENT_CALLS =
      Setting.integer(
          "LASSO_BENCHMARK_HALF_CONFIDENT_CALLS",
          BenchmarkPolicy.DEFAULT.halfConfidentCalls(),
          1,
          1_000_000,
          "calls",
          "Calls after which the confidence of a row is one half.");

  static final Setting<Integer> THREADS =
      Setting.integer(
          "LASSO_BENCHMARK_THREADS",
          1,
          1,
          64,
          "threads",
          "Streams threads of a benchmark process that fold partitions side by side.");

  /** The group. */
  static final SettingGroup GROUP =
      SettingGroup.of(
          "Latency and success of providers",
          "benchmark.",
          List.of(
              WINDOW,
              BUCKETS,
              PUBLISH_INTERVAL,
              IDLE,
              UNLISTED_METHODS,
              HALF_CONFIDENT_CALLS,
              THREADS));

  private BenchmarkSettings() {}

  /**
   * The numbers that the settings choose.
   *
   * @throws IllegalArgumentException when they do not fit together
   */
  static BenchmarkPolicy policy(Settings settings) {
    return new BenchmarkPolicy(
        settings.get(WINDOW),
        settings.get(BUCKETS),
        settings.get(PUBLISH_INTERVAL),
        settings.get(IDLE),
        settings.get(UNLISTED_METHODS),
        settings.get(HALF_CONFIDENT_CALLS));
  }
}
