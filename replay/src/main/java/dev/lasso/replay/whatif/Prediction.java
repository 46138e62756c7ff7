package dev.lasso.replay.whatif;

import java.util.List;

/**
 * What a change would have meant, beside what was.
 *
 * @param decisions recorded decisions that it is drawn from
 * @param requests requests that they stand for
 * @param recorded as it was
 * @param modelled as the same model sees what was: how well it fits
 * @param predicted as it would have been
 * @param providers load and success by provider and transport
 * @param sureness how much to believe it
 * @param reasons why no surer, a sentence each
 */
public record Prediction(
    long decisions,
    long requests,
    Outcome recorded,
    Outcome modelled,
    Outcome predicted,
    List<ProviderLoad> providers,
    Sureness sureness,
    List<String> reasons) {
  public Prediction {
    providers = List.copyOf(providers);
    reasons = List.copyOf(reasons);
  }

  /**
   * How requests fared.
   *
   * @param successRate answered ÷ all, 0 to 1
   * @param p50 median time to the answer
   * @param p99 99th percentile of it
   */
  public record Outcome(double successRate, Range p50, Range p99) {}

  /**
   * A latency with the range in which 9 of 10 redraws lie, milliseconds.
   *
   * @param ms the estimate
   * @param lowMs lower end
   * @param highMs upper end
   */
  public record Range(double ms, double lowMs, double highMs) {}

  /**
   * What a provider bears.
   *
   * @param channel provider and transport
   * @param recordedPerSecond attempts per second as it was
   * @param recordedPeak the most in one slice of time, attempts per second
   * @param predictedPerSecond attempts per second as it would have been
   * @param predictedPeak the most in one slice
   * @param rateLimitedFrom fewest attempts per second in a slice in which it refused for its limit;
   *     0 when it never did
   * @param recordedLimited share of its attempts that were refused for a rate limit, 0 to 1
   * @param predictedLimited the same as it would have been, at the pressure that it had
   */
  public record ProviderLoad(
      String channel,
      double recordedPerSecond,
      double recordedPeak,
      double predictedPerSecond,
      double predictedPeak,
      double rateLimitedFrom,
      double recordedLimited,
      double predictedLimited) {}

  /** How much to believe a prediction. */
  public enum Sureness {
    HIGH,
    MEDIUM,
    LOW
  }
}
