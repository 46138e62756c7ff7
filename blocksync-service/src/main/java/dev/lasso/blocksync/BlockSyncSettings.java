package dev.lasso.blocksync;

import dev.lasso.runtime.settings.Setting;
import java.time.Duration;
import java.util.List;

/** The settings of the role. */
final class BlockSyncSettings {
  static final Setting<Duration> TIMEOUT =
      Setting.duration(
          "LASSO_POLL_TIMEOUT",
          Duration.ofSeconds(4),
          "How long a provider may take for each answer of a poll for its head.");

  static final Setting<Integer> THREADS =
      Setting.integer(
          "LASSO_BLOCKSYNC_THREADS",
          1,
          1,
          64,
          "threads",
          "Streams threads of a blocksync process that fold partitions side by side.");

  static final List<Setting<?>> ALL = List.of(TIMEOUT, THREADS);

  private BlockSyncSettings() {}
}
