package dev.lasso.runtime.settings;

import java.util.ArrayList;
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

  private final List<SettingGroup> groups;
  private final Map<String, Setting<?>> settings;
  private final Map<String, String> openPrefixes;

  private SettingCatalogue(
      List<SettingGroup> groups,
      Map<String, Setting<?>> settings,
      Map<String, String> openPrefixes) {
    this.groups = groups;
    this.settings = settings;
    this.openPrefixes = openPrefixes;
  }

  /**
   * A catalogue of the settings of several modules. A group that is there twice counts once.
   *
   * @throws IllegalArgumentException when two settings have one name
   */
  public static SettingCatalogue of(List<SettingGroup> groups) {
    List<SettingGroup> distinct = groups.stream().distinct().toList();
    Map<String, Setting<?>> byName = new TreeMap<>();
    for (SettingGroup group : distinct) {
      for (Setting<?> setting : group.settings()) {
        if (byName.putIfAbsent(setting.name(), setting) != null) {
          throw new IllegalArgumentException("two settings are named " + setting.name());
        }
      }
    }
    return new SettingCatalogue(distinct, byName, Map.of());
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
    return new SettingCatalogue(groups, settings, more);
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
    Settings read = new Settings(values);
    if (problems.isEmpty()) {
      groups.forEach(
          group ->
              problems.addAll(
                  group.contradictions(read, setting -> environment.containsKey(setting.name()))));
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return read;
  }

  /** The reference page: a Markdown table for each group. */
  public String markdown() {
    StringBuilder page = new StringBuilder();
    for (SettingGroup group : groups) {
      page.append("### %s\n\n%s\n\n".formatted(group.title(), group.about()));
      page.append("| variable | default | unit | value | meaning |\n|---|---|---|---|---|\n");
      group.settings().forEach(setting -> page.append(row(setting)));
      page.append('\n');
    }
    if (!openPrefixes.isEmpty()) {
      page.append("### Passed on\n\n| variables | meaning |\n|---|---|\n");
      openPrefixes.forEach(
          (prefix, meaning) -> page.append("| `%s*` | %s |\n".formatted(prefix, meaning)));
      page.append('\n');
    }
    return page.toString();
  }

  private static String row(Setting<?> setting) {
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            setting.name(),
            setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`",
            setting.unit(),
            setting.expectation(),
            setting.meaning());
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
