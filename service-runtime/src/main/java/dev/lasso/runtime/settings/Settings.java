package dev.lasso.runtime.settings;

import java.util.Map;
import java.util.TreeMap;

/** The values of all settings of a catalogue, as read once at start. Immutable. */
public final class Settings {
  private final Map<Setting<?>, Object> values;

  Settings(Map<Setting<?>, Object> values) {
    this.values = Map.copyOf(values);
  }

  /**
   * The value of a setting, its default when the environment does not name it.
   *
   * @throws IllegalArgumentException when the setting is not in the catalogue these settings were
   *     read with
   */
  @SuppressWarnings(
      "unchecked") // the catalogue stores under each setting only what that setting parsed
  public <T> T get(Setting<T> setting) {
    Object value = values.get(setting);
    if (value == null) {
      throw new IllegalArgumentException(setting + " is not in the catalogue");
    }
    return (T) value;
  }

  /** All values by name, secrets as stars. */
  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>();
    values.forEach(
        (setting, value) ->
            shown.put(setting.name(), setting.isSecret() ? "***" : value.toString()));
    return shown.toString();
  }
}
