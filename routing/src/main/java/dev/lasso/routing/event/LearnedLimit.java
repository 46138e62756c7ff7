package dev.lasso.routing.event;

/**
 * Something a provider was seen to be unable to do, remembered for a while.
 *
 * @param method the JSON-RPC method concerned
 * @param maxBlockRange the widest block range known to be accepted; 0 when the method is not served
 *     at all
 * @param untilMs when it is forgotten
 */
public record LearnedLimit(String method, long maxBlockRange, long untilMs) {
  /** The same, ending so many milliseconds earlier. */
  public LearnedLimit earlier(long byMs) {
    return new LearnedLimit(method, maxBlockRange, untilMs - byMs);
  }

  public boolean methodUnsupported() {
    return maxBlockRange == 0;
  }
}
