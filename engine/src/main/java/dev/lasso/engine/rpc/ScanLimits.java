package dev.lasso.engine.rpc;

/**
 * How much of an answer is held in memory.
 *
 * @param streamAboveBytes a result longer than this is handed on while it comes instead of being
 *     held until its end
 * @param maxHeldBytes most bytes held for anything else than a result
 * @param maxDepth deepest nesting accepted; costs one bit a level
 */
public record ScanLimits(int streamAboveBytes, int maxHeldBytes, int maxDepth) {
  /** Results are streamed above 128 KiB; errors may have 4 MiB; nesting 100,000. */
  public static final ScanLimits DEFAULT = new ScanLimits(128 << 10, 4 << 20, 100_000);

  public ScanLimits {
    if (streamAboveBytes < 1 || maxHeldBytes < streamAboveBytes || maxDepth < 8) {
      throw new IllegalArgumentException(
          "scan limits must be positive, and maxHeldBytes at least streamAboveBytes");
    }
  }
}
