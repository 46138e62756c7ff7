package dev.lasso.engine.settings;

import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The numbers of the strategies under the names that the seed page routing-strategies gives them.
 */
public final class SelectionSettings {
  private static final SelectionPolicy DEFAULT = SelectionPolicy.DEFAULT;

  private static final Setting<Integer> FASTEST_MIN_CALLS =
      Setting.integer(
          "FASTEST_MIN_CALLS",
          DEFAULT.fastestMinCalls(),
          0,
          1_000_000,
          "calls",
          "fastest: calls before a channel counts as measured.");

  private static final Setting<Double> FASTEST_MIN_SUCCESS_RATE =
      Setting.decimal(
          "FASTEST_MIN_SUCCESS_RATE",
          DEFAULT.fastestMinSuccessRate(),
          0,
          1,
          "share",
          "fastest: success rate under which a channel is ranked last.");

  private static final Setting<Integer> FASTEST_EXPLORE_EVERY =
      Setting.integer(
          "FASTEST_EXPLORE_EVERY",
          DEFAULT.fastestExploreEvery(),
          0,
          1_000_000,
          "requests",
          "fastest: one request in this many leads with the least known channel; 0 for never.");

  private static final Setting<Double> LW_BETA =
      Setting.decimal(
          "LW_BETA",
          DEFAULT.weightedBeta(),
          0,
          10,
          "exponent",
          "latency_weighted: latency exponent.");

  private static final Setting<Double> LW_MS_FLOOR =
      Setting.decimal(
          "LW_MS_FLOOR",
          DEFAULT.weightedFloorMs(),
          0.001,
          60_000,
          "ms",
          "latency_weighted: latencies below are not told apart.");

  private static final Setting<Double> LW_EXPLORE_FLOOR =
      Setting.decimal(
          "LW_EXPLORE_FLOOR",
          DEFAULT.weightedExploreFloor(),
          0,
          1,
          "probability",
          "latency_weighted: smallest selection probability of a channel.");

  private static final Setting<Integer> LW_MIN_CALLS =
      Setting.integer(
          "LW_MIN_CALLS",
          DEFAULT.weightedMinCalls(),
          1,
          1_000_000,
          "calls",
          "latency_weighted: calls from which a channel has its full weight.");

  private static final Setting<Double> LW_MIN_SR =
      Setting.decimal(
          "LW_MIN_SR",
          DEFAULT.weightedMinSuccessRate(),
          0,
          1,
          "share",
          "latency_weighted: success rate below which the weight is not lowered further.");

  private static final Setting<Duration> METRICS_FRESH =
      Setting.duration(
          "LASSO_METRICS_FRESH",
          Duration.ofMillis(DEFAULT.freshMs()),
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "Age at which latency evidence is stale.");

  private static final Setting<Duration> COLD_START =
      Setting.duration(
          "LASSO_COLD_START_LATENCY",
          Duration.ofMillis((long) DEFAULT.coldStartMs()),
          Duration.ofMillis(1),
          Duration.ofMinutes(10),
          "Latency that fastest assumes of a channel when no channel is measured yet.");

  private static final Setting<Double> TRIAL_LEAD =
      Setting.decimal(
          "LASSO_TRIAL_LEAD_PROBABILITY",
          DEFAULT.trialLeadProbability(),
          0,
          1,
          "probability",
          "How often a request that may be repeated is offered to a recovering provider first.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
          "Choice of providers",
          "The processes that serve requests: gateway and subscription. The names are those of the"
              + " page on routing strategies.",
          List.of(
              FASTEST_MIN_CALLS,
              FASTEST_MIN_SUCCESS_RATE,
              FASTEST_EXPLORE_EVERY,
              LW_BETA,
              LW_MS_FLOOR,
              LW_EXPLORE_FLOOR,
              LW_MIN_CALLS,
              LW_MIN_SR,
              METRICS_FRESH,
              COLD_START,
              TRIAL_LEAD));

  private SelectionSettings() {}

  /** From a process's settings. */
  public static SelectionPolicy from(Settings settings) {
    return new SelectionPolicy(
        settings.get(FASTEST_MIN_CALLS),
        settings.get(FASTEST_MIN_SUCCESS_RATE),
        settings.get(FASTEST_EXPLORE_EVERY),
        settings.get(LW_BETA),
        settings.get(LW_MS_FLOOR),
        settings.get(LW_EXPLORE_FLOOR),
        settings.get(LW_MIN_CALLS),
        settings.get(LW_MIN_SR),
        settings.get(METRICS_FRESH).toMillis(),
        (double) settings.get(COLD_START).toMillis(),
        settings.get(CircuitSettings.MAX_TRIALS),
        settings.get(TRIAL_LEAD));
  }
}
