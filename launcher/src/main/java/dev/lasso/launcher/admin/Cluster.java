package dev.lasso.launcher.admin;

import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The Kafka cluster that a command works on.
 *
 * @param kafka how it is reached
 * @param topics the topics that should be there
 */
public record Cluster(KafkaConnection kafka, TopicCatalogue topics) {
  /**
   * The cluster at an address, with what the environment says about topics and Kafka clients.
   *
   * @throws dev.lasso.runtime.settings.SettingsException when the environment can't be used
   */
  public static Cluster of(String bootstrap, Map<String, String> environment) {
    Map<String, String> relevant =
        TopicEnvironment.GROUP.settings().stream()
            .filter(setting -> environment.containsKey(setting.name()))
            .collect(
                Collectors.toMap(
                    setting -> setting.name(),
                    setting -> environment.getOrDefault(setting.name(), "")));
    TopicSettings settings =
        TopicEnvironment.read(
            SettingCatalogue.of(List.of(TopicEnvironment.GROUP)).read(new HashMap<>(relevant)));
    KafkaConnection kafka =
        KafkaConnection.of(
            bootstrap,
            settings.prefix(),
            ProcessId.starting("command", "local", InstantSource.system()),
            environment);
    return new Cluster(kafka, new TopicCatalogue(settings));
  }
}
