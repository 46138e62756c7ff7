package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics that stand in Kafka otherwise than the catalogue says. */
class WrongTopicsSystemIT {
  private static final String PARTITIONS =
      "topic lasso.instance-health: partitions expected 6, actual 3";
  private static final String CLEANUP =
      "topic lasso.chain-state: cleanup.policy expected compact, actual delete";

  @TempDir private Path directory = Path.of(".");

  @Test
  void areNamedByCheckAndByTheRoleThatWillNotStart() throws Exception {
    try (Fleet fleet = new Fleet(directory);
        Admin admin = admin(fleet)) {
      create(
          admin,
          new NewTopic("lasso.instance-health", 3, (short) 1)
              .configs(Map.of("cleanup.policy", "compact")),
          new NewTopic("somebody-elses", 1, (short) 1));
      assertThat(lasso(1, "topics", "check", "--kafka", fleet.kafka()))
          .contains(PARTITIONS, "topic lasso.profiles is missing");

      assertThat(lasso(1, "topics", "apply", "--kafka", fleet.kafka()))
          .anySatisfy(line -> assertThat(line).contains("lasso.instance-health", "partitions"));
      setCleanup(admin, "lasso.chain-state", "delete");
      assertThat(lasso(1, "topics", "check", "--kafka", fleet.kafka()))
          .contains(PARTITIONS, CLEANUP);

      assertThat(lasso(1, "gateway", "--kafka", fleet.kafka(), "--port", "0"))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .startsWith("lasso: ")
                      .contains(
                          PARTITIONS, CLEANUP, "lasso topics apply --kafka " + fleet.kafka()));

      assertThat(lasso(1, "topics", "apply", "--kafka", fleet.kafka()))
          .anySatisfy(line -> assertThat(line).contains("lasso.chain-state", "cleanup.policy"));
      assertThat(lasso(1, "topics", "check", "--kafka", fleet.kafka())).containsExactly(PARTITIONS);
      assertThat(topics(admin)).contains("somebody-elses");
      assertThat(
              admin
                  .describeTopics(List.of("lasso.instance-health"))
                  .allTopicNames()
                  .get(30, TimeUnit.SECONDS)
                  .values())
          .singleElement()
          .satisfies(topic -> assertThat(topic.partitions()).hasSize(3));
    }
  }

  private static Admin admin(Fleet fleet) {
    fleet.broker();
    return Admin.create(Map.of("bootstrap.servers", fleet.kafka()));
  }

  private static void create(Admin admin, NewTopic... topics) throws Exception {
    admin.createTopics(List.of(topics)).all().get(30, TimeUnit.SECONDS);
  }

  private static Collection<String> topics(Admin admin) throws Exception {
    return admin.listTopics().names().get(30, TimeUnit.SECONDS);
  }

  private static void setCleanup(Admin admin, String topic, String value) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("cleanup.policy", value), AlterConfigOp.OpType.SET))))
        .all()
        .get(30, TimeUnit.SECONDS);
  }

  /** Runs a command to its end; all that it said. */
  private List<String> lasso(int exitCode, String... arguments) {
    try (LassoCommand command = LassoCommand.start(directory, arguments)) {
      assertThat(command.exitCode()).as(command.toString()).isEqualTo(exitCode);
      return command.lines();
    }
  }
}
