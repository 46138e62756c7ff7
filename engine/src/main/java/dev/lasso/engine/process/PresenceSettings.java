package dev.lasso.engine.process;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import java.time.Duration;
import java.util.List;

/** How processes know of each other. */
public final class PresenceSettings {
  static final Setting<Duration> INTERVAL =
      Setting.duration(
          "LASSO_PRESENCE_INTERVAL",
          Duration.ofSeconds(3),
          Duration.ofMillis(100),
          Duration.ofMinutes(5),
          "Time between two heartbeats of a role.");

  /** A process counts as gone so long after its last heartbeat. */
  public static final Setting<Duration> GONE_AFTER =
      Setting.duration(
          "LASSO_PRESENCE_GONE_AFTER",
          Duration.ofSeconds(15),
          Duration.ofMillis(200),
          Duration.ofMinutes(30),
          "Time after its last heartbeat when a role counts as gone.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
              "Presence",
              "Every process; give all of a fleet the same.",
              List.of(INTERVAL, GONE_AFTER))
          .notBelow(GONE_AFTER, INTERVAL);

  private PresenceSettings() {}
}
