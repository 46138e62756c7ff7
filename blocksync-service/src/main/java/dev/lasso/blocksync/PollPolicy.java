package dev.lasso.blocksync;

/**
 * The numbers of polling.
 *
 * @param mostUnderWay polls that may be under way together
 * @param coveredFactor how many times rarer an instance is polled while a stream of new heads
 *     covers it
 * @param longestBackoffMs longest wait for the reason that polls fail
 */
record PollPolicy(int mostUnderWay, int coveredFactor, long longestBackoffMs) {
  static final PollPolicy DEFAULT = new PollPolicy(256, 3, 15_000);

  PollPolicy {
    if (mostUnderWay < 1 || coveredFactor < 1 || longestBackoffMs < 0) {
      throw new IllegalArgumentException(
          "mostUnderWay and coveredFactor must be positive, longestBackoffMs not negative");
    }
  }
}
