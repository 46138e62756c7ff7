package dev.lasso.engine.process;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import java.time.Duration;
import java.util.List;

/** How a process folds topics. */
public final class FoldSettings {
  static final Setting<Duration> COMMIT_INTERVAL =
      Setting.duration(
          "LASSO_STREAMS_COMMIT_INTERVAL",
          Duration.ofMillis(100),
          Duration.ofMillis(10),
          Duration.ofMinutes(1),
          "Time between commits of what was read; after a crash at most so much is read again.");

  static final Setting<Duration> SESSION =
      Setting.duration(
          "LASSO_STREAMS_SESSION",
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofMinutes(30),
          "How long a process may be silent before the others take over its partitions. The"
              + " broker's group.min.session.timeout.ms is the least that it accepts, 6s unless"
              + " changed.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
          "Folding of topics",
          "health, blocksync and benchmark.",
          List.of(COMMIT_INTERVAL, SESSION));

  private FoldSettings() {}
}
