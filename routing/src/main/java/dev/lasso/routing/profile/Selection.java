package dev.lasso.routing.profile;

/**
 * Which providers of a chain may serve a request (routing page, "Filters, in order").
 *
 * @param maxLagBlocks blocks that a provider's optimistic height may be behind consensus; 0 or more
 * @param archivalThreshold age in blocks from which state counts as archival; 0 or more
 * @param onAllLagging what happens when lag alone would leave nobody
 */
public record Selection(int maxLagBlocks, int archivalThreshold, OnAllLagging onAllLagging) {
  public static final Selection DEFAULT = new Selection(2, 128, OnAllLagging.SERVE_LEAST_LAGGING);

  public Selection {
    Require.between("max_lag_blocks", maxLagBlocks, 0, 10_000_000);
    Require.between("archival_threshold", archivalThreshold, 0, 1_000_000_000);
  }

  /** What to do when every provider lags too far. */
  public enum OnAllLagging {
    /** The least lagging one serves; the answer is marked degraded. */
    SERVE_LEAST_LAGGING("serve_least_lagging"),
    /** Nobody serves. */
    REJECT("reject");

    private final String word;

    OnAllLagging(String word) {
      this.word = word;
    }

    /** The word in profile files. */
    public String word() {
      return word;
    }
  }
}
