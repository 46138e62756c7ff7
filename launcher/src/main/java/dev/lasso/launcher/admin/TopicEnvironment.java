package dev.lasso.launcher.admin;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.runtime.settings.SettingsException;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The topic settings as environment variables. Commands and processes of a fleet must be given the
 * same ones: a process refuses topics that are not as its own settings say.
 */
public final class TopicEnvironment {
  public static final Setting<String> PREFIX =
      Setting.text(
          "LASSO_TOPIC_PREFIX", TopicSettings.defaults().prefix(), "In front of every topic name.");

  public static final Setting<Integer> REPLICATION_FACTOR =
      Setting.integer(
          "LASSO_TOPIC_REPLICATION_FACTOR",
          TopicSettings.defaults().replicationFactor(),
          1,
          100,
          "copies",
          "Copies of each partition.");

  public static final Setting<Duration> HISTORY_WINDOW =
      Setting.duration(
          "LASSO_TOPIC_HISTORY",
          TopicSettings.defaults().historyWindow(),
          Duration.ofMinutes(1),
          Duration.ofDays(3_650),
          "How far back replay can rebuild state: compacted topics keep every version as long.");

  public static final Setting<String> PARTITIONS =
      Setting.text(
          "LASSO_TOPIC_PARTITIONS",
          "",
          "Partitions by topic, such as `attempts=12,upstream-heads=3`; topics that are read"
              + " together change together. Topics not named keep their default.");

  public static final Setting<String> RETENTION =
      Setting.text(
          "LASSO_TOPIC_RETENTION",
          "",
          "How long topics keep records, such as `attempts=3d,probes=12h`. Topics not named keep"
              + " their default; compacted topics have no retention.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
          "Topics",
          "Every process, `lasso topics` and `lasso profiles`; give all of a fleet the same.",
          List.of(PREFIX, REPLICATION_FACTOR, HISTORY_WINDOW, PARTITIONS, RETENTION));

  private static final Pattern DURATION = Pattern.compile("[0-9]{1,9}[smhd]");

  private TopicEnvironment() {}

  /**
   * The topic settings that the environment asks for.
   *
   * @throws SettingsException naming what can't be used
   */
  public static TopicSettings read(Settings settings) {
    List<String> problems = new ArrayList<>();
    Map<TopicName, String> partitions = byTopic(PARTITIONS, settings, problems);
    Map<TopicName, String> retention = byTopic(RETENTION, settings, problems);
    TopicSettings topics = TopicSettings.defaults();
    try {
      topics =
          topics
              .withPrefix(settings.get(PREFIX))
              .withReplicationFactor(settings.get(REPLICATION_FACTOR).shortValue())
              .withHistoryWindow(settings.get(HISTORY_WINDOW));
      for (Map.Entry<TopicName, String> entry : partitions.entrySet()) {
        topics = topics.withPartitions(entry.getKey(), count(entry.getValue()));
      }
      for (Map.Entry<TopicName, String> entry : retention.entrySet()) {
        topics = topics.withRetention(entry.getKey(), duration(entry.getValue()));
      }
    } catch (IllegalArgumentException e) {
      problems.add("topic settings: " + e.getMessage());
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return topics;
  }

  private static Map<TopicName, String> byTopic(
      Setting<String> setting, Settings settings, List<String> problems) {
    Map<TopicName, String> values = new LinkedHashMap<>();
    for (String part : settings.get(setting).split(",", -1)) {
      if (part.isBlank()) {
        continue;
      }
      int equals = part.indexOf('=');
      String name = (equals < 0 ? part : part.substring(0, equals)).strip();
      Arrays.stream(TopicName.values())
          .filter(topic -> topic.word().equals(name) && equals > 0)
          .findFirst()
          .ifPresentOrElse(
              topic -> values.put(topic, part.substring(equals + 1).strip()),
              () ->
                  problems.add(
                      setting.name()
                          + ": '"
                          + part.strip()
                          + "': expected TOPIC=VALUE with one of "
                          + Arrays.stream(TopicName.values())
                              .map(TopicName::word)
                              .collect(Collectors.joining(", "))));
    }
    return values;
  }

  private static int count(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is no number of partitions", e);
    }
  }

  private static Duration duration(String text) {
    if (!DURATION.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is no duration such as 30m, 12h or 3d");
    }
    long amount = Long.parseLong(text.substring(0, text.length() - 1));
    return switch (text.charAt(text.length() - 1)) {
      case 's' -> Duration.ofSeconds(amount);
      case 'm' -> Duration.ofMinutes(amount);
      case 'h' -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
