package dev.lasso.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.runtime.settings.SettingsException;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicEnvironmentTest {
  private static TopicSettings read(Map<String, String> environment) {
    return TopicEnvironment.read(
        SettingCatalogue.of(List.of(TopicEnvironment.GROUP)).read(environment));
  }

  @Test
  void hasTheCataloguesDefaults() {
    assertThat(read(Map.of())).isEqualTo(TopicSettings.defaults());
  }

  @Test
  void readsEverySetting() {
    TopicSettings settings =
        read(
            Map.of(
                "LASSO_TOPIC_PREFIX", "mine.",
                "LASSO_TOPIC_REPLICATION_FACTOR", "3",
                "LASSO_TOPIC_HISTORY", "2d",
                "LASSO_TOPIC_PARTITIONS", "attempts=12, chain-state=3",
                "LASSO_TOPIC_RETENTION", "attempts=3d,probes=12h"));

    assertThat(settings.prefix()).isEqualTo("mine.");
    assertThat(settings.replicationFactor()).isEqualTo((short) 3);
    assertThat(settings.historyWindow()).isEqualTo(Duration.ofDays(2));
    assertThat(settings.partitions())
        .containsEntry(TopicName.ATTEMPTS, 12)
        .containsEntry(TopicName.PROBES, 12)
        .containsEntry(TopicName.CHAIN_STATE, 3);
    assertThat(settings.retention())
        .containsEntry(TopicName.ATTEMPTS, Duration.ofDays(3))
        .containsEntry(TopicName.PROBES, Duration.ofHours(12));
  }

  @Test
  void saysWhatCannotBeUsed() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of(
                        "LASSO_TOPIC_PARTITIONS", "attempt=12,probes",
                        "LASSO_TOPIC_RETENTION", "attempts=soon")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("LASSO_TOPIC_PARTITIONS: 'attempt=12': expected TOPIC=VALUE")
        .hasMessageContaining("'probes'")
        .hasMessageContaining("'soon' is no duration");
    assertThatThrownBy(() -> read(Map.of("LASSO_TOPIC_RETENTION", "profiles=3d")))
        .hasMessageContaining("compacted");
    assertThatThrownBy(() -> read(Map.of("LASSO_TOPIC_PARTITIONS", "profiles=3")))
        .hasMessageContaining("profiles must have 1 partition");
  }
}
