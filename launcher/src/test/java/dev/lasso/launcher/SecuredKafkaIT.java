package dev.lasso.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.runtime.Readiness;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.schemas.admin.AccessRules;
import dev.lasso.schemas.admin.RoleAccess;
import dev.lasso.simulator.Demo;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.LogCapture;
import dev.lasso.testkit.SecureBroker;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;
import picocli.CommandLine;

/**
 * Kafka as others run it: TLS, a password for each role, and no more rights than the documentation
 * says that a role needs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredKafkaIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String PREFIX = "acme.rpc.";
  private static final String PASSWORD = "correct-horse";
  private static final TopicCatalogue TOPICS =
      new TopicCatalogue(TopicSettings.defaults().withPrefix(PREFIX));

  @RegisterExtension final LogCapture logs = LogCapture.ofLasso();

  @TempDir private static Path directory = Path.of("");
  private SecureBroker broker;

  @BeforeAll
  void startBrokerWithAUserForEachRole() {
    broker = SecureBroker.start(directory);
    for (RoleAccess access : RoleAccess.all()) {
      broker.user(
          access.role(),
          PASSWORD,
          AccessRules.of(access, PREFIX).stream()
              .flatMap(rule -> rule.bindings("User:" + access.role()).stream())
              .toList());
    }
  }

  @AfterAll
  void stopBroker() {
    broker.close();
  }

  private Map<String, String> environment(String user) {
    return withPrefix(broker.environment(user, PASSWORD));
  }

  private static Map<String, String> withPrefix(Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("LASSO_TOPIC_PREFIX", PREFIX);
    all.put("LASSO_EVENT_LOOPS", "1");
    return all;
  }

  private static LassoProcess running(Map<Role, LassoProcess> fleet, Role role) {
    return Objects.requireNonNull(fleet.get(role), role.word());
  }

  @Test
  void everyRoleWorksWithTheRightsThatItsListNames() throws Exception {
    try (Demo demo =
        Demo.start(0, 1).toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS)) {
      assertThat(run(environment("operator"), "topics", "apply").exitCode()).isZero();
      applyProfiles(demo);
      Map<Role, LassoProcess> fleet = new EnumMap<>(Role.class);
      try {
        for (Role role : Role.all()) {
          fleet.put(role, process(role, environment(role.word())));
        }
        Await.await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    fleet.forEach(
                        (role, process) ->
                            assertThat(process.context().readiness().report().state())
                                .as(
                                    "%s: %s",
                                    role, process.context().readiness().report().reasons())
                                .isEqualTo(Readiness.State.READY)));
        LassoProcess gateway = running(fleet, Role.GATEWAY);
        Await.await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> {
                  assertThat(ask(gateway)).contains("\"result\"");
                  assertThat(emptyTopics()).isSubsetOf("dead-letters", "chain-events", "filters");
                });
        Await.await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(groups())
                        .contains(
                            PREFIX + "canonical",
                            PREFIX + "health-local",
                            PREFIX + "blocksync-local",
                            PREFIX + "benchmark-local"));
        for (Role role : List.of(Role.HEALTH, Role.BLOCKSYNC, Role.BENCHMARK)) {
          assertThat(get(running(fleet, role), "/health/ready")).contains("\"ready\"");
        }
        Await.await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> {
                  assertThat(get(gateway, "/api/topology"))
                      .contains("\"connected\"", "health-", "\"probes-0\"", "\"probes\":");
                  assertShowsTheFleet(run(environment("operator"), "status", "--json").out());
                });
        assertThat(run(environment("operator"), "status").out())
            .contains("ROLE", "latency-digests 0", PREFIX + "health-local");
      } finally {
        fleet.values().forEach(LassoProcess::stop);
      }
      assertThat(logs.messages(Level.WARN)).noneMatch(line -> line.contains("uthoriz"));
      assertThat(allLines()).noneMatch(line -> line.contains(PASSWORD));
    }
  }

  @Test
  void commandsSayInOneLineWhatIsWrong() throws IOException {
    Map<String, Map<String, String>> wrong = new LinkedHashMap<>();
    wrong.put("Authentication failed", withPrefix(broker.environment("gateway", "wrong-horse")));
    wrong.put(
        "unable to find valid certification path",
        withPrefix(
            SecureBroker.environment("gateway", PASSWORD, SecureBroker.strangersStore(directory))));
    wrong.put(
        "no-store.p12",
        withPrefix(
            SecureBroker.environment("gateway", PASSWORD, directory.resolve("no-store.p12"))));
    Map<String, String> unknown = environment("gateway");
    unknown.put("LASSO_KAFKA_SASL_MECHANISMUS", "SCRAM-SHA-512");
    wrong.put("did you mean LASSO_KAFKA_SASL_MECHANISM?", unknown);
    wrong.forEach(
        (reason, environment) -> {
          Run run = run(environment, "topics", "check");
          assertOneLine(run, reason);
          assertThat(run.err()).doesNotContain("horse", "store-password");
        });
    assertOneLine(
        runAt("nowhere.invalid:9092", Map.of(), "topics", "check"), "nowhere.invalid:9092");
  }

  private static void assertOneLine(Run run, String reason) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.err().strip().lines()).as(reason).hasSize(1);
    assertThat(run.err()).contains(reason);
  }

  @Test
  void aRoleWithTheWrongPasswordIsNotReadyAndSaysWhy() {
    LassoProcess process = process(Role.GATEWAY, withPrefix(broker.environment("gateway", "no")));
    try {
      Await.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(process.context().readiness().report().reasons())
                      .anyMatch(reason -> reason.contains("Authentication failed")));
      assertThat(process.context().readiness().report().state())
          .isEqualTo(Readiness.State.NOT_READY);
    } finally {
      process.stop();
    }
  }

  private LassoProcess process(Role role, Map<String, String> environment) {
    LassoProcess process =
        LassoProcess.assemble(
            new LassoProcess.Start(
                role.word(),
                "local",
                broker.secureBootstrapServers(),
                directory.resolve(role.word()),
                ProcessSettings.catalogue().read(environment),
                environment),
            List.of(role),
            0);
    process.start();
    return process;
  }

  private void applyProfiles(Demo demo) throws IOException {
    Path profiles = Files.createDirectories(directory.resolve("profiles"));
    Files.writeString(profiles.resolve("demo.yml"), DemoProfile.yaml(demo.providers()));
    assertThat(run(environment("operator"), "profiles", "apply", profiles.toString()).exitCode())
        .isZero();
  }

  private static void assertShowsTheFleet(String json) {
    JsonObject status = new JsonObject(json);
    Set<String> roles = new TreeSet<>();
    for (int i = 0; i < status.getJsonArray("processes").size(); i++) {
      JsonObject process = status.getJsonArray("processes").getJsonObject(i);
      roles.add(process.getString("role"));
      assertThat(process.getString("status")).as(json).isEqualTo("ready");
    }
    assertThat(roles)
        .containsExactly("benchmark", "blocksync", "gateway", "health", "subscription");
    assertThat(status.getJsonArray("groups")).hasSize(4);
  }

  private static String get(LassoProcess process, String path)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(process.httpUrl("http") + path)).build(),
              BodyHandlers.ofString())
          .body();
    }
  }

  private String ask(LassoProcess gateway) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(gateway.httpUrl("http") + "/rpc/ethereum"))
                  .POST(
                      BodyPublishers.ofString(
                          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_gasPrice\"}"))
                  .build(),
              BodyHandlers.ofString())
          .body();
    }
  }

  private Set<String> emptyTopics() throws Exception {
    try (Admin admin = openAdmin()) {
      Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
      TOPICS
          .specs()
          .forEach(
              spec -> {
                for (int partition = 0; partition < spec.partitions(); partition++) {
                  asked.put(new TopicPartition(spec.name(), partition), OffsetSpec.latest());
                }
              });
      Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> ends =
          admin.listOffsets(asked).all().get(10, TimeUnit.SECONDS);
      Set<String> empty = new TreeSet<>();
      TOPICS
          .specs()
          .forEach(
              spec -> {
                if (ends.entrySet().stream()
                    .filter(end -> end.getKey().topic().equals(spec.name()))
                    .allMatch(end -> end.getValue().offset() == 0)) {
                  empty.add(spec.id().word());
                }
              });
      return empty;
    }
  }

  private Set<String> groups() throws Exception {
    try (Admin admin = openAdmin()) {
      Set<String> ids = new TreeSet<>();
      admin.listGroups().all().get(10, TimeUnit.SECONDS).forEach(group -> ids.add(group.groupId()));
      return ids;
    }
  }

  private Admin openAdmin() {
    return Admin.create(Map.of("bootstrap.servers", broker.openBootstrapServers()));
  }

  private record Run(int exitCode, String out, String err) {}

  private Run run(Map<String, String> environment, String... arguments) {
    return runAt(broker.secureBootstrapServers(), environment, arguments);
  }

  private static Run runAt(String kafka, Map<String, String> environment, String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine command = Lasso.commandLine(environment);
    StringWriter out = new StringWriter();
    command.setErr(new PrintWriter(err, true)).setOut(new PrintWriter(out, true));
    String[] all =
        Stream.concat(Stream.of(arguments), Stream.of("--kafka", kafka)).toArray(String[]::new);
    int exitCode = command.execute(all);
    return new Run(exitCode, out.toString(), err.toString());
  }

  private List<String> allLines() {
    return Stream.of(Level.values()).flatMap(level -> logs.messages(level).stream()).toList();
  }
}
