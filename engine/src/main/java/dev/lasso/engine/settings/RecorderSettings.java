package dev.lasso.engine.settings;

import dev.lasso.engine.record.RecorderPolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/** How much of what a process saw is told to the fleet. */
public final class RecorderSettings {
  private static final RecorderPolicy DEFAULT = RecorderPolicy.DEFAULT;

  private static final Setting<Integer> QUEUE =
      Setting.integer(
          "LASSO_RECORDER_QUEUE",
          DEFAULT.queueCapacity(),
          16,
          1 << 24,
          "observations",
          "Observations held before new ones are dropped and counted.");

  private static final Setting<Duration> SLOW =
      Setting.duration(
          "LASSO_RECORDER_SLOW",
          Duration.ofMillis(DEFAULT.slowMs()),
          Duration.ofMillis(1),
          Duration.ofHours(1),
          "A success slower than this always gets an attempt record of its own, as "
              + "failures do.");

  private static final Setting<Integer> SUCCESSES =
      Setting.integer(
          "LASSO_RECORDER_SUCCESSES",
          DEFAULT.successesPerSecond(),
          0,
          1_000_000,
          "records per second",
          "Other successes with an attempt record of their own.");

  private static final Setting<Integer> DECISIONS =
      Setting.integer(
          "LASSO_RECORDER_DECISIONS",
          DEFAULT.decisionsPerSecond(),
          0,
          1_000_000,
          "records per second",
          "Recorded routing decisions of requests that went well; all others are " + "recorded.");

  private static final Setting<Duration> INTERVAL =
      Setting.duration(
          "LASSO_DIGEST_INTERVAL",
          Duration.ofMillis(DEFAULT.digestIntervalMs()),
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          "What one latency digest sums up.");

  private static final Setting<Duration> HOLD =
      Setting.duration(
          "LASSO_DIGEST_HOLD",
          Duration.ofMillis(DEFAULT.digestHoldMs()),
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "How long a digest that Kafka does not take goes on growing.");

  private static final Setting<Integer> MAX_KEYS =
      Setting.integer(
          "LASSO_DIGEST_MAX_KEYS",
          DEFAULT.maxDigestKeys(),
          1,
          10_000_000,
          "keys",
          "Most (profile, chain, channel, method) in one interval; what is beyond is "
              + "summed up under the method `other`.");

  private static final Setting<Integer> UNLISTED =
      Setting.integer(
          "LASSO_DIGEST_UNLISTED_METHODS",
          DEFAULT.maxUnlistedMethods(),
          0,
          100_000,
          "methods",
          "Most method names outside the method table that are told apart.");

  private static final Setting<Duration> RETRY =
      Setting.duration(
          "LASSO_RECORDER_RETRY",
          Duration.ofMillis(DEFAULT.retrySendMs()),
          Duration.ZERO,
          Duration.ofMinutes(10),
          "After a failure to hand a record to Kafka, how long none is handed over.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
              "What is told to the fleet",
              "Every process that serves requests: gateway and subscription.",
              List.of(QUEUE, SLOW, SUCCESSES, DECISIONS, INTERVAL, HOLD, MAX_KEYS, UNLISTED, RETRY))
          .notBelow(HOLD, INTERVAL);

  private RecorderSettings() {}

  /** From a process's settings. */
  public static RecorderPolicy from(Settings settings) {
    return new RecorderPolicy(
        settings.get(QUEUE),
        settings.get(SLOW).toMillis(),
        settings.get(SUCCESSES),
        settings.get(DECISIONS),
        settings.get(INTERVAL).toMillis(),
        settings.get(HOLD).toMillis(),
        settings.get(MAX_KEYS),
        settings.get(UNLISTED),
        settings.get(RETRY).toMillis());
  }
}
