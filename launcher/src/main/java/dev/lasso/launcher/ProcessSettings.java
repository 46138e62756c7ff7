package dev.lasso.launcher;

import dev.lasso.launcher.admin.TopicEnvironment;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingCatalogue;
import java.util.ArrayList;
import java.util.List;

/** The settings of every process, and the catalogue of all settings that there are. */
final class ProcessSettings {
  static final Setting<Integer> EVENT_LOOPS =
      Setting.integer(
          "LASSO_EVENT_LOOPS",
          Math.max(1, Runtime.getRuntime().availableProcessors()),
          1,
          256,
          "threads",
          "Event loops of a process; requests are spread over them. The default is the number of"
              + " processors.");

  private static final Setting<String> LOG_LEVEL =
      Setting.text("LASSO_LOG_LEVEL", "INFO", "Level of Lasso's own log lines.");

  private static final Setting<String> LOG_LEVEL_KAFKA =
      Setting.text("LASSO_LOG_LEVEL_KAFKA", "ERROR", "Level of the Kafka libraries' log lines.");

  private static final List<Setting<?>> OWN = List.of(EVENT_LOOPS, LOG_LEVEL, LOG_LEVEL_KAFKA);

  private ProcessSettings() {}

  /** Every setting of every role. */
  static SettingCatalogue catalogue() {
    List<Setting<?>> all = new ArrayList<>(OWN);
    all.addAll(TopicEnvironment.SETTINGS);
    all.addAll(SelectionSettings.SETTINGS);
    Role.all().forEach(role -> all.addAll(role.settings()));
    return SettingCatalogue.of(all.stream().distinct().toList())
        .withOpenPrefix(
            KafkaConnection.ENVIRONMENT_PREFIX,
            "Passed to the Kafka clients: LASSO_KAFKA_SASL_MECHANISM is sasl.mechanism.");
  }
}
