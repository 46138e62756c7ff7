package dev.lasso.routing.select;

import dev.lasso.routing.StrategyName;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The strategies: each puts the candidates into the order in which it would try them, health apart
 * (routing page, "Strategies").
 */
final class Ranking {
  private static final double RANKED_LAST_MS = 1e12;

  private final SelectionPolicy policy;
  private double[] working = new double[32];

  Ranking(SelectionPolicy policy) {
    this.policy = policy;
  }

  void rank(
      Candidates candidates,
      ChainRoutes routes,
      String method,
      StrategyName strategy,
      long[] words,
      long nowMs,
      RandomGenerator random) {
    switch (strategy) {
      case LOAD_BALANCED -> shuffle(candidates, random);
      case PRIORITY -> byPriority(candidates, routes);
      case FASTEST -> fastest(candidates, routes.evidenceFor(method), nowMs, random);
      case LATENCY_WEIGHTED -> weighted(candidates, routes.evidenceFor(method), nowMs, random);
      case LEAST_LOADED -> leastLoaded(candidates, routes, method, words, nowMs, random);
    }
  }

  private static void shuffle(Candidates candidates, RandomGenerator random) {
    for (int i = candidates.size() - 1; i > 0; i--) {
      candidates.swap(i, random.nextInt(i + 1));
    }
  }

  private static void byPriority(Candidates candidates, ChainRoutes routes) {
    for (int i = 0; i < candidates.size(); i++) {
      candidates.key(candidates.at(i), routes.priorityRank(candidates.at(i)));
    }
    candidates.sort();
  }

  private void fastest(
      Candidates candidates, @Nullable Evidence[] rows, long nowMs, RandomGenerator random) {
    double cold = coldStartMs(candidates, rows, nowMs);
    boolean explore =
        policy.fastestExploreEvery() > 0 && random.nextInt(policy.fastestExploreEvery()) == 0;
    shuffle(candidates, random); // so that equals share the load
    for (int i = 0; i < candidates.size(); i++) {
      int channel = candidates.at(i);
      Evidence row = fresh(rows, channel, nowMs);
      double key = cold;
      if (row != null && row.calls() >= policy.fastestMinCalls()) {
        key =
            row.successRate() >= policy.fastestMinSuccessRate()
                ? row.latencyMs()
                : RANKED_LAST_MS - row.successRate();
      }
      candidates.key(channel, key);
    }
    candidates.sort();
    if (explore) {
      leadWithLeastKnown(candidates, rows, nowMs);
    }
  }

  private void leadWithLeastKnown(Candidates candidates, @Nullable Evidence[] rows, long nowMs) {
    int least = 0;
    long leastCalls = Long.MAX_VALUE;
    for (int i = 0; i < candidates.size(); i++) {
      Evidence row = fresh(rows, candidates.at(i), nowMs);
      long calls = row == null ? 0 : row.calls();
      if (calls < leastCalls) {
        least = i;
        leastCalls = calls;
      }
    }
    if (candidates.size() > 0) {
      candidates.lead(least);
    }
  }

  /** The 75th percentile (nearest rank) of the latencies known among the candidates. */
  private double coldStartMs(Candidates candidates, @Nullable Evidence[] rows, long nowMs) {
    double[] known = room(candidates.size());
    int count = 0;
    for (int i = 0; i < candidates.size(); i++) {
      Evidence row = fresh(rows, candidates.at(i), nowMs);
      if (row != null && row.calls() >= policy.fastestMinCalls()) {
        known[count++] = row.latencyMs();
      }
    }
    if (count == 0) {
      return policy.coldStartMs();
    }
    Arrays.sort(known, 0, count);
    return known[(int) Math.ceil(0.75 * count) - 1];
  }

  /** An exact weighted permutation by an exponential race: ascending −ln(u) ÷ w. */
  private void weighted(
      Candidates candidates, @Nullable Evidence[] rows, long nowMs, RandomGenerator random) {
    double cold = coldStartMs(candidates, rows, nowMs);
    double sum = 0;
    for (int i = 0; i < candidates.size(); i++) {
      int channel = candidates.at(i);
      double weight = weight(fresh(rows, channel, nowMs), cold);
      candidates.key(channel, weight);
      sum += weight;
    }
    raiseToFloor(candidates, sum);
    for (int i = 0; i < candidates.size(); i++) {
      int channel = candidates.at(i);
      double race = -Math.log(1 - random.nextDouble()) / candidates.key(channel);
      candidates.key(channel, race);
    }
    candidates.sort();
  }

  private double weight(@Nullable Evidence row, double coldStartMs) {
    double latencyMs = row == null ? coldStartMs : row.latencyMs();
    double latencyTerm =
        1 / Math.pow(Math.max(latencyMs, policy.weightedFloorMs()), policy.weightedBeta());
    if (row == null) {
      return latencyTerm * 0.95 * 0.5;
    }
    double callsScale = Math.min(1, (double) row.calls() / policy.weightedMinCalls());
    double success = Math.max(row.successRate(), policy.weightedMinSuccessRate());
    return latencyTerm * success * row.confidence() * callsScale;
  }

  /**
   * Turns weights into probabilities of which none is under the floor (or all equal, where the
   * floor leaves no choice).
   */
  private void raiseToFloor(Candidates candidates, double sum) {
    int size = candidates.size();
    double floor = policy.weightedExploreFloor();
    if (!(sum > 0) || floor * size >= 1) {
      for (int i = 0; i < size; i++) {
        candidates.key(candidates.at(i), 1.0 / size);
      }
      return;
    }
    double rest = sum; // weight of those above the floor
    double mass = 1; // probability left for them
    boolean raised = true;
    double[] floored = room(size);
    Arrays.fill(floored, 0, size, -1);
    while (raised) {
      raised = false;
      for (int i = 0; i < size; i++) {
        double weight = candidates.key(candidates.at(i));
        if (floored[i] < 0 && weight / rest * mass < floor) {
          floored[i] = floor;
          rest -= weight;
          mass -= floor;
          raised = true;
        }
      }
    }
    for (int i = 0; i < size; i++) {
      int channel = candidates.at(i);
      candidates.key(channel, floored[i] >= 0 ? floored[i] : candidates.key(channel) / rest * mass);
    }
  }

  /** Working memory for at least the given number of values. */
  private double[] room(int size) {
    if (working.length < size) {
      working = new double[size];
    }
    return working;
  }

  /** Power of two choices over latency × (requests in flight + 1). */
  private void leastLoaded(
      Candidates candidates,
      ChainRoutes routes,
      String method,
      long[] words,
      long nowMs,
      RandomGenerator random) {
    @Nullable Evidence[] rows = routes.evidenceFor(method);
    double cold = coldStartMs(candidates, rows, nowMs);
    for (int i = 0; i < candidates.size(); i++) {
      int channel = candidates.at(i);
      double latencyMs = ChannelWord.latencyEwmaMs(words[channel]);
      if (latencyMs <= 0) {
        Evidence row = fresh(rows, channel, nowMs);
        latencyMs = row == null ? cold : row.latencyMs();
      }
      candidates.key(channel, latencyMs * (ChannelWord.inFlight(words[channel]) + 1));
    }
    for (int i = 0; i < candidates.size() - 1; i++) {
      int left = candidates.size() - i;
      int a = i + random.nextInt(left);
      int b = i + random.nextInt(left);
      candidates.swap(
          i, candidates.key(candidates.at(a)) <= candidates.key(candidates.at(b)) ? a : b);
    }
  }

  private @Nullable Evidence fresh(@Nullable Evidence[] rows, int channel, long nowMs) {
    Evidence row = channel < rows.length ? rows[channel] : null;
    return row == null || nowMs - row.updatedAtMs() > policy.freshMs() ? null : row;
  }
}
