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

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
          "Folding of topics", "health, blocksync and benchmark.", List.of(COMMIT_INTERVAL));

  private FoldSettings() {}
}
