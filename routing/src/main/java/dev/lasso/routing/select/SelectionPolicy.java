package dev.lasso.routing.select;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The numbers of selection. Names and defaults follow the seed page routing-strategies.
 *
 * @param fastestMinCalls calls before a row counts as measured ({@code FASTEST_MIN_CALLS})
 * @param fastestMinSuccessRate success rate under which a channel is ranked last ({@code
 *     FASTEST_MIN_SUCCESS_RATE})
 * @param fastestExploreEvery one request in this many leads with the least known candidate; 0 for
 *     never ({@code FASTEST_EXPLORE_EVERY})
 * @param weightedBeta latency exponent ({@code LW_BETA})
 * @param weightedFloorMs smallest latency that is told apart ({@code LW_MS_FLOOR})
 * @param weightedExploreFloor smallest selection probability ({@code LW_EXPLORE_FLOOR})
 * @param weightedMinCalls calls from which a row has its full weight ({@code LW_MIN_CALLS})
 * @param weightedMinSuccessRate success rate below which it is not lowered further ({@code
 *     LW_MIN_SR})
 * @param freshMs age at which a row is stale
 * @param coldStartMs latency assumed when nothing at all is known
 * @param halfOpenMaxInFlight trials at a time on a half-open endpoint, up to {@link #MAX_TRIALS}
 * @param trialLeadProbability how often a replay-safe request leads with an idle half-open channel,
 *     0 to 1
 */
public record SelectionPolicy(
    int fastestMinCalls,
    double fastestMinSuccessRate,
    int fastestExploreEvery,
    double weightedBeta,
    double weightedFloorMs,
    double weightedExploreFloor,
    int weightedMinCalls,
    double weightedMinSuccessRate,
    long freshMs,
    double coldStartMs,
    int halfOpenMaxInFlight,
    double trialLeadProbability) {
  /** Most trials at a time on one endpoint. */
  public static final int MAX_TRIALS = ChannelWord.MAX_TRIALS;

  public static final SelectionPolicy DEFAULT =
      new SelectionPolicy(3, 0.9, 50, 3.0, 30.0, 0.05, 3, 0.85, 600_000, 10_000, 1, 0.25);

  public SelectionPolicy {
    require(fastestMinCalls >= 0, "FASTEST_MIN_CALLS", "0 or more", fastestMinCalls);
    requireRate("FASTEST_MIN_SUCCESS_RATE", fastestMinSuccessRate);
    require(fastestExploreEvery >= 0, "FASTEST_EXPLORE_EVERY", "0 or more", fastestExploreEvery);
    require(weightedBeta >= 0 && weightedBeta <= 10, "LW_BETA", "0 to 10", weightedBeta);
    require(weightedFloorMs > 0, "LW_MS_FLOOR", "more than 0 ms", weightedFloorMs);
    requireRate("LW_EXPLORE_FLOOR", weightedExploreFloor);
    require(weightedMinCalls >= 1, "LW_MIN_CALLS", "1 or more", weightedMinCalls);
    requireRate("LW_MIN_SR", weightedMinSuccessRate);
    require(freshMs > 0, "freshMs", "more than 0 ms", freshMs);
    require(coldStartMs > 0, "coldStartMs", "more than 0 ms", coldStartMs);
    require(
        halfOpenMaxInFlight >= 1 && halfOpenMaxInFlight <= MAX_TRIALS,
        "half_open_max_inflight",
        "from 1 to " + MAX_TRIALS,
        halfOpenMaxInFlight);
    requireRate("trialLeadProbability", trialLeadProbability);
  }

  /** The numbers by name, as decision events carry them. */
  public Map<String, Double> numbers() {
    return Map.ofEntries(
        Map.entry("fastest_min_calls", (double) fastestMinCalls),
        Map.entry("fastest_min_success_rate", fastestMinSuccessRate),
        Map.entry("fastest_explore_every", (double) fastestExploreEvery),
        Map.entry("weighted_beta", weightedBeta),
        Map.entry("weighted_floor_ms", weightedFloorMs),
        Map.entry("weighted_explore_floor", weightedExploreFloor),
        Map.entry("weighted_min_calls", (double) weightedMinCalls),
        Map.entry("weighted_min_success_rate", weightedMinSuccessRate),
        Map.entry("fresh_ms", (double) freshMs),
        Map.entry("cold_start_ms", coldStartMs),
        Map.entry("half_open_max_in_flight", (double) halfOpenMaxInFlight),
        Map.entry("trial_lead_probability", trialLeadProbability));
  }

  /**
   * The policy with the given {@linkplain #numbers() numbers}; what is not among them is as in
   * {@link #DEFAULT}.
   */
  public static SelectionPolicy of(Map<String, Double> numbers) {
    Map<String, Double> all = new HashMap<>(DEFAULT.numbers());
    all.putAll(numbers);
    return new SelectionPolicy(
        (int) number(all, "fastest_min_calls"),
        number(all, "fastest_min_success_rate"),
        (int) number(all, "fastest_explore_every"),
        number(all, "weighted_beta"),
        number(all, "weighted_floor_ms"),
        number(all, "weighted_explore_floor"),
        (int) number(all, "weighted_min_calls"),
        number(all, "weighted_min_success_rate"),
        (long) number(all, "fresh_ms"),
        number(all, "cold_start_ms"),
        (int) number(all, "half_open_max_in_flight"),
        number(all, "trial_lead_probability"));
  }

  private static double number(Map<String, Double> numbers, String name) {
    return Objects.requireNonNull(numbers.get(name), name);
  }

  private static void requireRate(String name, double value) {
    require(value >= 0 && value <= 1, name, "0 to 1", value);
  }

  private static void require(boolean holds, String name, String expected, Number value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + expected + ", was " + value);
    }
  }
}
