package dev.lasso.routing.profile;

/**
 * How a chain's providers are watched.
 *
 * @param probeIntervalMs time between two looks at a provider's height, 100 ms to 1 h
 * @param lagAlertThresholdBlocks blocks behind the consensus height from which a provider's lag is
 *     worth a warning, 1 or more
 */
public record Monitoring(int probeIntervalMs, int lagAlertThresholdBlocks) {
  public static final Monitoring DEFAULT = new Monitoring(12_000, 5);

  public Monitoring {
    Require.between("probe_interval_ms", probeIntervalMs, 100, 3_600_000);
    Require.between("lag_alert_threshold_blocks", lagAlertThresholdBlocks, 1, 1_000_000);
  }
}
