package dev.lasso.engine.rpc;

/**
 * How much of a request is accepted.
 *
 * @param maxDepth deepest nesting of the whole body
 * @param maxBatchItems most calls in one batch
 * @param maxMethodBytes longest method name
 * @param maxIdBytes longest id text
 */
public record EnvelopeLimits(int maxDepth, int maxBatchItems, int maxMethodBytes, int maxIdBytes) {
  /** Nesting 256, batches of 50, method names of 128 bytes, ids of 1 KiB. */
  public static final EnvelopeLimits DEFAULT = new EnvelopeLimits(256, 50, 128, 1024);

  public EnvelopeLimits {
    if (maxDepth < 4 || maxBatchItems < 1 || maxMethodBytes < 1 || maxIdBytes < 1) {
      throw new IllegalArgumentException(
          "envelope limits must be positive and allow a nesting of 4");
    }
  }
}
