package dev.lasso.schemas.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.schemas.TopicSpec;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BrokerExtension.class)
class TopicAdminIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final TestBroker broker;
  private Admin client;
  private TopicSettings settings;

  TopicAdminIT(TestBroker broker) {
    this.broker = broker;
    this.client = broker.admin();
    this.settings = TopicSettings.defaults();
  }

  @BeforeEach
  void ownPrefix(TestInfo test) {
    settings =
        TopicSettings.defaults()
            .withPrefix(broker.topicPrefix() + Integer.toHexString(test.hashCode()) + ".")
            .withPartitions(2);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void createsEveryTopicOnceAndThenFindsNothingToDo() {
    TopicAdmin admin = admin(settings);
    assertThat(admin.check())
        .hasSize(TopicName.values().length)
        .allMatch(TopicDrift.Missing.class::isInstance);

    List<TopicChange> changes = admin.apply();

    assertThat(changes)
        .hasSize(TopicName.values().length)
        .allMatch(TopicChange.Created.class::isInstance);
    eventuallyInLine(admin);
    assertThat(admin.apply()).isEmpty();
    assertThat(admin.list())
        .allMatch(TopicState::exists)
        .anySatisfy(
            state -> {
              assertThat(state.id()).isEqualTo(TopicName.CHAIN_EVENTS);
              assertThat(state.partitions()).isEqualTo(2);
              assertThat(state.configs()).containsEntry("max.message.bytes", "16777216");
            });
    assertThat(admin.requireTopics(new TopicCatalogue(settings).specs())).isEmpty();
  }

  @Test
  void missingTopicsPreventAStartAndAreNamed() {
    TopicCatalogue catalogue = new TopicCatalogue(settings);
    List<TopicSpec> needed = List.of(catalogue.probes().spec(), catalogue.attempts().spec());

    assertThatThrownBy(() -> admin(settings).requireTopics(needed))
        .isInstanceOf(WrongTopicsException.class)
        .hasMessageContaining(catalogue.probes().name() + " is missing")
        .hasMessageContaining(catalogue.attempts().name() + " is missing")
        .hasMessageContaining("lasso topics apply");
  }

  @Test
  void altersSettingsAndAddsPartitionsWhereThatIsSafe() {
    admin(settings).apply();
    eventuallyInLine(admin(settings));
    TopicSettings wanted =
        settings
            .withPartitions(TopicName.ATTEMPTS, 3)
            .withRetention(TopicName.PROBES, Duration.ofHours(2));
    TopicCatalogue catalogue = new TopicCatalogue(wanted);

    List<TopicChange> changes = admin(wanted).apply();

    assertThat(changes)
        .contains(
            new TopicChange.PartitionsAdded(catalogue.attempts().name(), 2, 3),
            new TopicChange.ConfigChanged(
                catalogue.probes().name(), "retention.ms", "86400000", "7200000"))
        .anySatisfy(
            change -> {
              assertThat(change).isInstanceOf(TopicChange.Refused.class);
              assertThat(change.topic()).isEqualTo(catalogue.instanceHealth().name());
              assertThat(change.describe()).contains("old partition");
            });
  }

  @Test
  void refusesToTakePartitionsAway() {
    admin(settings).apply();
    eventuallyInLine(admin(settings));
    TopicSettings fewer = settings.withPartitions(TopicName.ROUTING_DECISIONS, 1);
    String name = new TopicCatalogue(fewer).routingDecisions().name();

    assertThat(admin(fewer).check()).containsExactly(new TopicDrift.Partitions(name, 1, 2));
    assertThat(admin(fewer).apply())
        .singleElement()
        .satisfies(
            change ->
                assertThat(change.describe())
                    .startsWith("topic " + name + ": partitions expected 1, actual 2")
                    .contains("can't take partitions away"));
  }

  @Test
  void topicSetUpByOthersIsReportedSettingBySetting() {
    TopicCatalogue catalogue = new TopicCatalogue(settings);
    String name = catalogue.chainState().name();
    broker.create(
        List.of(
            new NewTopic(name, 2, (short) 1)
                .configs(Map.of("cleanup.policy", "delete", "max.message.bytes", "1048588"))));
    List<TopicSpec> needed = List.of(catalogue.chainState().spec());

    assertThatThrownBy(() -> admin(settings).requireTopics(needed))
        .isInstanceOfSatisfying(
            WrongTopicsException.class,
            e ->
                assertThat(e.drift())
                    .containsExactlyInAnyOrder(
                        new TopicDrift.Config(name, "cleanup.policy", "compact", "delete"),
                        new TopicDrift.Config(name, "max.message.bytes", "16777216", "1048588")));
    assertThat(admin(settings).check())
        .contains(
            new TopicDrift.Config(name, "min.compaction.lag.ms", "604800000", "0"),
            new TopicDrift.Config(name, "compression.type", "zstd", "producer"));
  }

  @Test
  void unreachableKafkaIsSaidClearly() {
    try (Admin nowhere =
        Admin.create(
            Map.of(
                "bootstrap.servers",
                "127.0.0.1:1",
                "default.api.timeout.ms",
                "1000",
                "request.timeout.ms",
                "1000"))) {
      TopicAdmin admin =
          new TopicAdmin(nowhere, new TopicCatalogue(settings), Duration.ofSeconds(2));

      assertThatThrownBy(admin::check)
          .isInstanceOf(TopicAdminException.class)
          .hasMessageStartingWith("cannot describe topic");
    }
  }

  private TopicAdmin admin(TopicSettings with) {
    return new TopicAdmin(client, new TopicCatalogue(with), TIMEOUT);
  }

  private static void eventuallyInLine(TopicAdmin admin) {
    Awaitility.await().atMost(TIMEOUT).untilAsserted(() -> assertThat(admin.check()).isEmpty());
  }
}
