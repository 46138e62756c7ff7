package dev.lasso.replay.whatif;

import dev.lasso.replay.measure.Latencies;
import dev.lasso.replay.whatif.Prediction.Outcome;
import dev.lasso.replay.whatif.Prediction.Range;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * How weighted requests fared, with resamples that say how far chance alone may move the result:
 * each request takes part in each resample a random number of times (Poisson bootstrap). Memory
 * does not grow with requests. Owned by one thread.
 */
final class Drawn {
  private static final int RESAMPLES = 60;

  private final Latencies latencies = new Latencies();
  private final Latencies[] resamples = new Latencies[RESAMPLES];
  private double answered;
  private double all;

  /** Fractions of a request are kept by counting in hundredths. */
  private static final int UNITS = 100;

  Drawn() {
    Arrays.setAll(resamples, _ -> new Latencies());
  }

  /**
   * Adds a request.
   *
   * @param times how often it takes part in each resample, from {@link #resample}
   */
  void add(boolean wasAnswered, double tookMs, double weight, int[] times) {
    all += weight;
    if (!wasAnswered) {
      return;
    }
    answered += weight;
    long units = Math.max(1, Math.round(weight * UNITS));
    latencies.add(tookMs, units);
    for (int i = 0; i < RESAMPLES; i++) {
      resamples[i].add(tookMs, units * times[i]);
    }
  }

  /** How often one recorded request takes part in each resample. */
  static int[] resample(RandomGenerator random) {
    int[] times = new int[RESAMPLES];
    Arrays.setAll(times, _ -> poisson(random));
    return times;
  }

  /** A Poisson number with mean 1. */
  private static int poisson(RandomGenerator random) {
    double left = random.nextDouble();
    double probability = Math.exp(-1);
    int number = 0;
    while (left > probability && number < 8) {
      left -= probability;
      number++;
      probability /= number;
    }
    return number;
  }

  double all() {
    return all;
  }

  Outcome outcome() {
    return new Outcome(all == 0 ? 0 : answered / all, range(0.5), range(0.99));
  }

  private Range range(double share) {
    double[] values = new double[RESAMPLES];
    Arrays.setAll(values, i -> resamples[i].percentile(share));
    Arrays.sort(values);
    return new Range(
        latencies.percentile(share),
        values[(int) (RESAMPLES * 0.05)],
        values[(int) (RESAMPLES * 0.95)]);
  }
}
