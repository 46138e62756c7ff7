package dev.lasso.launcher;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.launcher.admin.TopicEnvironment;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/** The settings of every process, and the catalogue of all settings that there are. */
final class ProcessSettings {
  private static final Setting<Integer> EVENT_LOOPS =
      Setting.integer(
          "LASSO_EVENT_LOOPS",
          0,
          0,
          256,
          "threads",
          "Event loops of a process, over which requests are spread; 0 for one per processor.");

  private static final Setting<LogLevel> LOG_LEVEL =
      Setting.choice("LASSO_LOG_LEVEL", LogLevel.INFO, "Level of Lasso's own log lines.");

  private static final Setting<LogLevel> LOG_LEVEL_KAFKA =
      Setting.choice(
          "LASSO_LOG_LEVEL_KAFKA",
          LogLevel.ERROR,
          "Level of the Kafka libraries' log lines; when set, also of those that Lasso tells in its"
              + " own words.");

  private static final SettingGroup OWN =
      SettingGroup.of(
          "Process",
          "Every process.",
          List.of(EVENT_LOOPS, ProcessContext.ADVERTISED_HOST, LOG_LEVEL, LOG_LEVEL_KAFKA));

  private ProcessSettings() {}

  /** What a line of the log must be worth; Logback reads it from the environment itself. */
  private enum LogLevel {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  /** How many event loops the process has. */
  static int eventLoops(Settings settings) {
    int asked = settings.get(EVENT_LOOPS);
    return asked == 0 ? Runtime.getRuntime().availableProcessors() : asked;
  }

  /** Every setting of every role. */
  static SettingCatalogue catalogue() {
    List<SettingGroup> all = new ArrayList<>();
    all.add(OWN);
    all.addAll(EngineSettings.FLEET);
    all.add(TopicEnvironment.GROUP);
    all.addAll(Role.GATEWAY.settings());
    all.addAll(Role.SUBSCRIPTION.settings());
    Role.all().forEach(role -> all.addAll(role.settings()));
    return SettingCatalogue.of(all)
        .withOpenPrefix(
            KafkaConnection.ENVIRONMENT_PREFIX,
            "Passed to the Kafka clients: LASSO_KAFKA_SASL_MECHANISM is sasl.mechanism.");
  }
}
