package dev.lasso.engine.view;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import java.time.Duration;
import java.util.List;

/** How a process comes to know the fleet when it starts. */
public final class ViewSettings {
  /** What a starting process need not look beyond, so whoever writes must write again within it. */
  public static final Setting<Duration> SPAN =
      Setting.duration(
          "LASSO_VIEW_SPAN",
          Duration.ofMinutes(10),
          Duration.ofSeconds(10),
          Duration.ofDays(365),
          "How far back a starting process reads instance-health, chain-state and provider-metrics,"
              + " whose rows are written again within half of it or no longer count; a partition"
              + " with nothing so young is read whole.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of("Views", "Every process; give all of a fleet the same.", List.of(SPAN));

  private ViewSettings() {}
}
