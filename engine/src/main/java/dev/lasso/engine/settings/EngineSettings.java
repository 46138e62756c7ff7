package dev.lasso.engine.settings;

import dev.lasso.engine.process.FoldSettings;
import dev.lasso.engine.process.PresenceSettings;
import dev.lasso.engine.view.ViewSettings;
import dev.lasso.runtime.settings.SettingGroup;
import java.util.List;

/** The groups that a role lists, by what it does. */
public final class EngineSettings {
  /** Of every role: it says that it is there, and looks at the fleet. */
  public static final List<SettingGroup> FLEET =
      List.of(PresenceSettings.GROUP, ViewSettings.GROUP);

  /** Of a role that calls providers. */
  public static final List<SettingGroup> UPSTREAM =
      List.of(
          UpstreamHttpSettings.GROUP,
          UpstreamWsSettings.GROUP,
          CircuitSettings.GROUP,
          RateLimitSettings.GROUP);

  /** Of a role that serves clients' requests, beside {@link #UPSTREAM}. */
  public static final List<SettingGroup> SERVING =
      List.of(
          EnvelopeSettings.GROUP,
          AttemptSettings.GROUP,
          SelectionSettings.GROUP,
          RecorderSettings.GROUP);

  /** Of a role that folds topics. */
  public static final List<SettingGroup> FOLDING = List.of(FoldSettings.GROUP);

  private EngineSettings() {}
}
