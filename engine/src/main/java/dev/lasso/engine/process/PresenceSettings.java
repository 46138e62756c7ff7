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

  /** What a process that was killed said of itself is removed so long after it was last read. */
  public static final Setting<Duration> FORGOTTEN_AFTER =
      Setting.duration(
          "LASSO_PRESENCE_FORGOTTEN_AFTER",
          Duration.ofHours(1),
          Duration.ofSeconds(1),
          Duration.ofDays(30),
          "How long `lasso status --all` shows a role that was killed; then its key is removed from"
              + " the topic presence.");

  static final Setting<Duration> CLOCK_TOLERANCE =
      Setting.duration(
          "LASSO_CLOCK_TOLERANCE",
          Duration.ofSeconds(2),
          Duration.ofMillis(200),
          Duration.ofMinutes(5),
          "How far a clock may be from those of the fleet, or be set at a time, without a word.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
              "Presence",
              "Every process; give all of a fleet the same.",
              List.of(INTERVAL, GONE_AFTER, FORGOTTEN_AFTER, CLOCK_TOLERANCE))
          .notBelow(GONE_AFTER, INTERVAL)
          .notBelow(FORGOTTEN_AFTER, GONE_AFTER);

  private PresenceSettings() {}
}
