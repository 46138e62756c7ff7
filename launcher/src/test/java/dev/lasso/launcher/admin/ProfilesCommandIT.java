package dev.lasso.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lasso.schemas.TopicName;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands one after the other, as an operator would call them on a new cluster. */
@ExtendWith(BrokerExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProfilesCommandIT {
  @TempDir private static Path directory = Path.of("");

  private final TestBroker broker;
  private final Map<String, String> environment;

  ProfilesCommandIT(TestBroker broker) {
    this.broker = broker;
    this.environment = Map.of("KEY", "k", "LASSO_TOPIC_PREFIX", broker.topicPrefix());
  }

  private CommandRun profiles(String... arguments) {
    return CommandRun.of(new ProfilesCommand(environment), withKafka(arguments));
  }

  private CommandRun topics(String... arguments) {
    return CommandRun.of(new TopicsCommand(environment), withKafka(arguments));
  }

  private String[] withKafka(String... arguments) {
    return Stream.concat(Stream.of(arguments), Stream.of("--kafka", broker.bootstrapServers()))
        .toArray(String[]::new);
  }

  private static void write(String file, String yaml) throws IOException {
    Files.writeString(directory.resolve(file), yaml);
  }

  @Test
  @Order(1)
  void saysThatTheTopicsAreMissing() throws IOException {
    write("a.yml", ProfileTexts.yaml("a", 1));

    CommandRun run = profiles("apply", directory.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("topic " + broker.topic("profiles") + " is missing; run `lasso topics apply`");
    assertThat(topics("check").exitCode()).isEqualTo(1);
    assertThat(topics("check").out()).contains("topic " + broker.topic("attempts") + " is missing");
    assertThat(topics("list").out()).contains("missing");
  }

  @Test
  @Order(2)
  void createsTheTopicsOnce() {
    CommandRun first = topics("apply");

    assertThat(first.exitCode()).isZero();
    assertThat(first.out().lines()).hasSize(TopicName.values().length);
    assertThat(topics("apply").out()).isEqualTo("all in line\n");
    assertThat(topics("check").exitCode()).isZero();
    assertThat(topics("list", "--json").out()).contains("\"exists\" : true");
  }

  @Test
  @Order(3)
  void repairsASettingThatWasChanged() throws Exception {
    try (Admin admin = broker.admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, broker.topic("attempts")),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("retention.ms", "1234"), AlterConfigOp.OpType.SET))))
          .all()
          .get(30, TimeUnit.SECONDS);
    }

    assertThat(topics("check").out()).contains("retention.ms expected 604800000, actual 1234");
    assertThat(topics("apply").exitCode()).isZero();
    assertThat(topics("check").exitCode()).isZero();
  }

  @Test
  @Order(4)
  void appliesADirectoryAsAWholeOrNotAtAll() throws IOException {
    write("b.yml", "slug: [");
    CommandRun refused = profiles("apply", directory.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("b.yml:1:").contains("nothing applied: 1 fault");
    assertThat(profiles("show").out()).isEmpty();

    write("b.yml", ProfileTexts.yaml("b", 1));
    assertThat(profiles("apply", directory.toString()).out()).isEqualTo("a: added\nb: added\n");
    assertThat(profiles("diff", directory.toString()).exitCode()).isZero();
  }

  @Test
  @Order(5)
  void showsWhatIsInForceWithoutKeys() throws IOException {
    CommandRun run = profiles("show", "a");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("slug: a")
        .contains("https://one.example/***${KEY}")
        .doesNotContain("written-out-key")
        .doesNotContain("slug: b");
    assertThat(new ObjectMapper().readTree(profiles("show", "--json").out())).hasSize(2);
    assertThat(profiles("show", "nobody").exitCode()).isEqualTo(1);
  }

  @Test
  @Order(6)
  void comparesAndChangesOnlyWhatDiffers() throws IOException {
    write("a.yml", ProfileTexts.yaml("a", 9));

    CommandRun diff = profiles("diff", directory.toString());
    assertThat(diff.exitCode()).isEqualTo(3);
    assertThat(diff.out()).isEqualTo("a: ~ chains.ethereum.providers[one].priority: 1 -> 9\n");

    assertThat(profiles("apply", directory.toString()).out())
        .isEqualTo("a: changed\nb: unchanged\n");
  }

  @Test
  @Order(7)
  void removesAProfileOnlyWhenAskedTo() throws IOException {
    Files.delete(directory.resolve("b.yml"));

    assertThat(profiles("apply", directory.toString()).out()).contains("b: kept");
    assertThat(profiles("apply", directory.toString(), "--prune", "--json").out())
        .contains("\"removed\" : [ \"b\" ]");
    assertThat(profiles("show").out()).contains("slug: a").doesNotContain("slug: b");
  }

  @Test
  @Order(8)
  void passesOverARecordThatCannotBeRead() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  broker.topic("profiles"),
                  "c".getBytes(StandardCharsets.UTF_8),
                  "nonsense".getBytes(StandardCharsets.UTF_8)))
          .get(30, TimeUnit.SECONDS);
    }

    CommandRun run = profiles("show");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("slug: a");
    assertThat(run.err()).contains("can't be read");
  }

  @Test
  @Order(9)
  void saysThatKafkaDoesNotAnswer() {
    CommandRun run =
        CommandRun.of(
            new ProfilesCommand(environment),
            "apply",
            directory.toString(),
            "--kafka",
            "127.0.0.1:1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("Kafka at 127.0.0.1:1 does not answer");
  }
}
