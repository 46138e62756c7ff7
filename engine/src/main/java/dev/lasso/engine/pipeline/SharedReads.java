package dev.lasso.engine.pipeline;

/**
 * What the engines of a process share about reads.
 *
 * @param coalescing reads under way
 * @param sessions how far callers have read
 */
public record SharedReads(Coalescing coalescing, ReadSessions sessions) {
  /** Empty ones, of the policy's sizes. */
  public static SharedReads of(EnginePolicy policy) {
    return new SharedReads(
        new Coalescing(policy.maxSharedBytes()),
        new ReadSessions(policy.maxSessions(), policy.sessionIdle()));
  }
}
