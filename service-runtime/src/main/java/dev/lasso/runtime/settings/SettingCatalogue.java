package dev.lasso.runtime.settings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every setting a process knows. Reads the environment against it, so that a misspelt {@code
 * LASSO_} variable is an error and not a silent default, and prints the reference page that the
 * documentation holds. Immutable.
 */
public final class SettingCatalogue {
  /** Variables that begin with this must be known. */
  public static final String PREFIX = "LASSO_";

  private final Map<String, Setting<?>> settings;
  private final Map<String, String> openPrefixes;

  private SettingCatalogue(Map<String, Setting<?>> settings, Map<String, String> openPrefixes) {
    this.settings = settings;
    this.openPrefixes = openPrefixes;
  }

  /**
   * A catalogue of the settings of several modules.
   *
   * @throws IllegalArgumentException when two have one name
   */
  public static SettingCatalogue of(List<Setting<?>> settings) {
    Map<String, Setting<?>> byName = new TreeMap<>();
    for (Setting<?> setting : settings) {
      if (byName.putIfAbsent(setting.name(), setting) != null) {
        throw new IllegalArgumentException("two settings are named " + setting.name());
      }
    }
    return new SettingCatalogue(byName, Map.of());
  }

  /**
   * The same catalogue where variables beginning with {@code prefix} are left to somebody else,
   * Kafka's client properties for example.
   *
   * @param meaning what they do, for the reference page
   */
  public SettingCatalogue withOpenPrefix(String prefix, String meaning) {
    Map<String, String> more = new TreeMap<>(openPrefixes);
    more.put(prefix, meaning);
    return new SettingCatalogue(settings, more);
  }

  /**
   * Reads all settings.
   *
   * @param environment as {@link System#getenv()}
   * @throws SettingsException naming every unknown variable and every value that can't be used
   */
  public Settings read(Map<String, String> environment) {
    List<String> problems = new ArrayList<>();
    Map<Setting<?>, Object> values = new HashMap<>();
    for (Setting<?> setting : settings.values()) {
      String written = environment.get(setting.name());
      values.put(
          setting, written == null ? setting.defaultValue() : read(setting, written, problems));
    }
    environment.keySet().stream()
        .filter(this::isUnknown)
        .sorted()
        .map(this::unknown)
        .forEach(problems::add);
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return new Settings(values);
  }

  /** A Markdown table of all settings, ordered by name. */
  public String markdown() {
    StringBuilder page =
        new StringBuilder(
            "| variable | default | unit | value | meaning |\n|---|---|---|---|---|\n");
    settings.values().stream()
        .sorted(Comparator.comparing(Setting::name))
        .forEach(
            setting ->
                page.append(
                    "| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                            setting.name(),
                            setting.defaultText().isEmpty()
                                ? ""
                                : "`" + setting.defaultText() + "`",
                            setting.unit(),
                            setting.expectation(),
                            setting.meaning())));
    openPrefixes.forEach(
        (prefix, meaning) -> page.append("| `%s*` | | | | %s |\n".formatted(prefix, meaning)));
    return page.toString();
  }

  private static Object read(Setting<?> setting, String written, List<String> problems) {
    try {
      return setting.parse(written);
    } catch (IllegalArgumentException _) {
      String shown = setting.isSecret() ? "***" : "'" + written + "'";
      problems.add(setting.name() + "=" + shown + ": expected " + setting.expectation());
      return setting.defaultValue();
    }
  }

  private boolean isUnknown(String name) {
    return name.startsWith(PREFIX)
        && !settings.containsKey(name)
        && openPrefixes.keySet().stream().noneMatch(name::startsWith);
  }

  private String unknown(String name) {
    return name
        + ": unknown setting"
        + NearestName.to(name, settings.keySet())
            .map(nearest -> "; did you mean " + nearest + "?")
            .orElse("");
  }
}
