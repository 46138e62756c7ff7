package dev.lasso.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicSettingsTest {
  private final TopicSettings defaults = TopicSettings.defaults();

  @Test
  void defaultsSuitALaptop() {
    assertThat(defaults.prefix()).isEqualTo("lasso.");
    assertThat(defaults.replicationFactor()).isEqualTo((short) 1);
    assertThat(defaults.maxMessageBytes()).isEqualTo(16 * 1024 * 1024);
    assertThat(defaults.historyWindow()).isEqualTo(Duration.ofDays(7));
    assertThat(defaults.partitions()).containsOnlyKeys(TopicName.values());
    assertThat(defaults.partitions().get(TopicName.PROFILES)).isEqualTo(1);
    assertThat(defaults.partitions().get(TopicName.ATTEMPTS)).isEqualTo(6);
  }

  @Test
  void settingsReachTheSpecOfATopic() {
    TopicCatalogue catalogue =
        new TopicCatalogue(
            defaults
                .withPrefix("eu.")
                .withReplicationFactor((short) 3)
                .withHistoryWindow(Duration.ofDays(2))
                .withPartitions(12)
                .withRetention(TopicName.PROBES, Duration.ofHours(8)));

    TopicSpec metrics = catalogue.providerMetrics().spec();
    assertThat(metrics.name()).isEqualTo("eu.provider-metrics");
    assertThat(metrics.partitions()).isEqualTo(12);
    assertThat(metrics.replicationFactor()).isEqualTo((short) 3);
    assertThat(metrics.configs())
        .containsEntry("cleanup.policy", "compact")
        .containsEntry("min.compaction.lag.ms", "172800000")
        .containsEntry("compression.type", "zstd")
        .containsEntry("max.message.bytes", "16777216");
    assertThat(catalogue.probes().spec().configs())
        .containsEntry("cleanup.policy", "delete")
        .containsEntry("retention.ms", "28800000");
    assertThat(catalogue.profiles().spec().partitions()).isEqualTo(1);
  }

  @Test
  void everyTopicIsInTheCatalogueOnce() {
    TopicCatalogue catalogue = new TopicCatalogue(defaults);
    assertThat(catalogue.specs()).extracting(TopicSpec::id).containsExactly(TopicName.values());
    assertThat(catalogue.specs())
        .allSatisfy(spec -> assertThat(spec.name()).isEqualTo("lasso." + spec.id().word()));
    assertThat(catalogue.all()).hasSize(TopicName.values().length - 1);
  }

  @Test
  void partitionsOfOneTopicChangeThoseThatMustBeEqual() {
    TopicSettings changed = defaults.withPartitions(TopicName.ATTEMPTS, 3);

    assertThat(changed.partitions().get(TopicName.PROBES)).isEqualTo(3);
    assertThat(changed.partitions().get(TopicName.INSTANCE_HEALTH)).isEqualTo(3);
    assertThat(changed.partitions().get(TopicName.LATENCY_DIGESTS)).isEqualTo(6);
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    assertThatThrownBy(() -> defaults.withPrefix("not a name/"))
        .hasMessageContaining("prefix")
        .hasMessageContaining("not a name/");
    assertThatThrownBy(() -> defaults.withReplicationFactor((short) 0))
        .hasMessageContaining("replication factor");
    assertThatThrownBy(() -> defaults.withPartitions(TopicName.PROFILES, 2))
        .hasMessageContaining("profiles must have 1 partition");
    assertThatThrownBy(() -> defaults.withPartitions(TopicName.PRESENCE, 0))
        .hasMessageContaining("presence must be 1 to 10000");
    assertThatThrownBy(() -> defaults.withRetention(TopicName.CHAIN_STATE, Duration.ofDays(1)))
        .hasMessageContaining("chain-state is compacted");
    assertThatThrownBy(() -> defaults.withRetention(TopicName.PROBES, Duration.ofSeconds(1)))
        .hasMessageContaining("retention of topic probes");
    assertThatThrownBy(
            () ->
                new TopicSettings(
                    "", (short) 1, 1 << 24, Duration.ZERO, Map.of(TopicName.PROBES, 2), Map.of()))
        .hasMessageContaining("same number of partitions");
    assertThat(TopicSettings.CO_PARTITIONED).isNotEmpty().allMatch(group -> group.size() > 1);
    assertThat(List.copyOf(TopicSettings.CO_PARTITIONED)).hasSize(3);
  }
}
