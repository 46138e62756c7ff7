package dev.lasso.engine.view;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import java.time.Duration;
import java.util.List;

/** How a process comes to know the fleet when it starts. */
public final class ViewSettings {
  static final Setting<Duration> SPAN =
      Setting.duration(
          "LASSO_VIEW_SPAN",
          Duration.ofMinutes(10),
          Duration.ofSeconds(10),
          Duration.ofDays(365),
          "How far back a starting process reads instance-health, chain-state and provider-metrics,"
              + " whose rows are written again all the time; a partition with nothing so young is"
              + " read whole.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of("Views", "Every process that looks at the fleet.", List.of(SPAN));

  private ViewSettings() {}
}
