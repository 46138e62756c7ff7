package dev.lasso.engine.record;

/**
 * How much of what a process saw is told to the fleet.
 *
 * @param queueCapacity observations held before new ones are dropped
 * @param slowMs a success slower than this always gets its own record
 * @param successesPerSecond other successes with a record of their own
 * @param decisionsPerSecond recorded decisions of requests that went well
 * @param digestIntervalMs length of the interval that a latency digest sums up
 * @param digestHoldMs a digest that Kafka does not take goes on growing for this long
 * @param maxDigestKeys most (profile, chain, channel, method) in one interval; what is beyond is
 *     summed up under the method {@code other}
 * @param maxUnlistedMethods most method names outside the method table that are told apart
 * @param retrySendMs after a failure to hand a record to Kafka, how long none is handed over
 */
public record RecorderPolicy(
    int queueCapacity,
    long slowMs,
    int successesPerSecond,
    int decisionsPerSecond,
    long digestIntervalMs,
    long digestHoldMs,
    int maxDigestKeys,
    int maxUnlistedMethods,
    long retrySendMs) {
  public static final RecorderPolicy DEFAULT =
      new RecorderPolicy(1 << 16, 1_000, 20, 5, 2_000, 10_000, 10_000, 100, 1_000);

  public RecorderPolicy {
    if (queueCapacity < 1
        || slowMs < 1
        || successesPerSecond < 0
        || decisionsPerSecond < 0
        || digestIntervalMs < 1
        || digestHoldMs < digestIntervalMs
        || maxDigestKeys < 1
        || maxUnlistedMethods < 0
        || retrySendMs < 0) {
      throw new IllegalArgumentException(
          "recorder settings must not be negative, digestHoldMs not below digestIntervalMs");
    }
  }
}
