package dev.lasso.system.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.system.FreePort;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the containers would run, as plain processes: the image's tree is laid out by the image's
 * own script, and every command of the compose file and of the manifests is run as the file has it,
 * in no environment but the file's. Only hosts, paths of volumes and ports are this machine's. So
 * the container alone is unproven.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageSystemIT {
  private static final String REQUEST =
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_chainId\",\"params\":[]}";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Compose compose = Compose.read();
  private final Map<String, String> elsewhere = new LinkedHashMap<>();
  private final List<PlainProcess> running = new ArrayList<>();
  private final String kafka = "127.0.0.1:" + FreePort.next();
  private Path directory = Path.of(".");
  private ImageTree image;

  @BeforeAll
  void layOut(@TempDir Path directory) throws Exception {
    this.directory = directory;
    image = ImageTree.assemble(directory.resolve("opt"));
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    int simulated = tenFreePorts();
    simulator(simulated);
    Files.writeString(
        profiles.resolve("demo.yml"),
        Files.readString(Tool.ROOT.resolve("deploy/compose/profiles/demo.yml"))
            // simulator-ports.cfg opens 6000 to 6009 for what listens on 5000 to 5009
            .replaceAll("simulator:600", "127.0.0.1:" + simulated / 10));
    elsewhere.put("kafka:9092", kafka);
    elsewhere.put("\"$BOOTSTRAP\"", kafka);
    elsewhere.put("$(BOOTSTRAP)", kafka);
    elsewhere.put("/etc/lasso/profiles", profiles.toString());
    broker();
  }

  @AfterAll
  void end() {
    running.forEach(PlainProcess::terminate);
    running.forEach(process -> process.exitCode(20));
  }

  /** The image of Kafka is somebody else's; its part is played by the broker of this one. */
  private void broker() {
    List<String> command = new ArrayList<>(image.instruction("ENTRYPOINT"));
    command.addAll(
        List.of("broker", "--kafka-port", kafka.substring(kafka.indexOf(':') + 1), "--data-dir"));
    command.add(directory.resolve("broker").toString());
    PlainProcess broker = started("broker", command, Map.of("LASSO_JAVA_OPTS", "-Xmx256m"));
    running.addFirst(broker);
    broker.awaitLine("lasso ready");
  }

  private void simulator(int portBase) {
    JsonObject service = compose.service("simulator");
    List<String> command = new ArrayList<>(image.instruction("ENTRYPOINT"));
    command.addAll(Yaml.texts(service, "command"));
    elsewhere.put("5000", Integer.toString(portBase));
    running.add(started("simulator", command, compose.environment("simulator")));
    List<String> check = Yaml.texts(Yaml.at(service, "healthcheck"), "test");
    awaitSuccess("simulator-check", check.subList(1, check.size()));
    elsewhere.remove("5000");
  }

  @Test
  void composeServicesServeAndEndWhenTold() throws Exception {
    JsonObject init = compose.service("kafka-init");
    List<String> command = new ArrayList<>(Yaml.texts(init, "entrypoint"));
    command.addAll(Yaml.texts(init, "command"));
    assertThat(
            PlainProcess.run(
                directory, "kafka-init", here(command), compose.environment("kafka-init")))
        .isZero();

    Map<String, Role> roles = new LinkedHashMap<>();
    for (String name : compose.ownServices()) {
      JsonObject service = compose.service(name);
      if (!name.equals("kafka-init") && !name.equals("simulator")) {
        List<String> entry = new ArrayList<>(image.instruction("ENTRYPOINT"));
        entry.addAll(Yaml.texts(service, "command"));
        String memory = service.getString("mem_limit").replaceAll("[^0-9a-z]", "");
        roles.put(name, role(name, entry, compose.environment(name), memory));
      }
    }
    assertThat(roles.keySet()).containsExactlyInAnyOrderElementsOf(DeploymentFilesTest.ROLES);
    for (Role role : roles.values()) {
      awaitSuccess("check", with(image.instruction("HEALTHCHECK"), role.port()));
      awaitReady(role);
    }
    assertAnswers(roles);
    long grace =
        Long.parseLong(compose.service("gateway").getString("stop_grace_period").replace("s", ""));
    endAll(roles, grace);
  }

  @Test
  void manifestsServeAndEndWhenTold() throws Exception {
    Manifests manifests = Manifests.build("small");
    JsonObject init = manifests.container("Job", "lasso-init");
    List<String> command = new ArrayList<>(Yaml.texts(init, "command"));
    command.addAll(Yaml.texts(init, "args"));
    assertThat(
            PlainProcess.run(directory, "lasso-init", here(command), manifests.environment(init)))
        .isZero();

    Map<String, Role> roles = new LinkedHashMap<>();
    for (String deployment : manifests.deployments()) {
      JsonObject container = manifests.container("Deployment", deployment);
      List<String> entry = new ArrayList<>(image.instruction("ENTRYPOINT"));
      Map<String, String> environment = manifests.environment(container);
      for (String word : Yaml.texts(container, "args")) {
        entry.add(
            word.replace("$(REGION)", environment.getOrDefault("REGION", ""))
                .replace("/var/lib/lasso", directory.resolve(deployment).toString()));
      }
      String memory =
          Yaml.at(container, "resources", "limits").getString("memory").replace("Mi", "m");
      String name = deployment.replace("lasso-", "");
      roles.put(name, role(deployment, entry, environment, memory));
      assertThat(Yaml.at(container, "livenessProbe", "httpGet").getString("path"))
          .isEqualTo("/health/live");
      assertThat(Yaml.at(container, "readinessProbe", "httpGet").getString("path"))
          .isEqualTo("/health/ready");
    }
    assertThat(roles.keySet()).containsExactlyInAnyOrderElementsOf(DeploymentFilesTest.ROLES);
    for (Role role : roles.values()) {
      awaitReady(role);
      assertThat(get(role, "/health/live")).isEqualTo(200);
    }
    assertAnswers(roles);
    endAll(roles, 30);
  }

  private record Role(PlainProcess process, int port) {}

  /** The container's limit, which the entry reads from its control group, is told to the JVM. */
  private Role role(
      String name, List<String> command, Map<String, String> environment, String memory) {
    int port = FreePort.next();
    List<String> withPort = new ArrayList<>(command);
    withPort.addAll(List.of("--port", Integer.toString(port)));
    Map<String, String> variables = new HashMap<>(environment);
    variables.put("LASSO_ADVERTISED_HOST", "127.0.0.1");
    variables.put("LASSO_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:MaxRAM=" + memory);
    variables.remove("BOOTSTRAP");
    variables.remove("REGION");
    return new Role(started(name, withPort, variables), port);
  }

  private PlainProcess started(String name, List<String> command, Map<String, String> environment) {
    return PlainProcess.start(directory, name, here(command), environment);
  }

  private List<String> here(List<String> command) {
    return image.here(command, elsewhere);
  }

  private static List<String> with(List<String> command, int port) {
    List<String> more = new ArrayList<>(command);
    more.add(Integer.toString(port));
    return more;
  }

  private void awaitSuccess(String name, List<String> command) {
    Await.await()
        .atMost(90, TimeUnit.SECONDS)
        .until(() -> PlainProcess.run(directory, name, here(command), Map.of()) == 0);
  }

  private static void awaitReady(Role role) {
    Await.await()
        .atMost(90, TimeUnit.SECONDS)
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(get(role, "/health/ready")).as("%s", role.process()).isEqualTo(200));
  }

  private static int get(Role role, String path) throws IOException, InterruptedException {
    return HTTP.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + role.port() + path)).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  private static void assertAnswers(Map<String, Role> roles) {
    int port = Objects.requireNonNull(roles.get("gateway")).port();
    Await.until(
        () -> {
          HttpResponse<String> answer =
              HTTP.send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/rpc/ethereum"))
                      .header("Content-Type", "application/json")
                      .POST(BodyPublishers.ofString(REQUEST))
                      .build(),
                  BodyHandlers.ofString());
          assertThat(new JsonObject(answer.body()))
              .isEqualTo(new JsonObject().put("jsonrpc", "2.0").put("id", 7).put("result", "0x1"));
        });
  }

  private static void endAll(Map<String, Role> roles, long graceSeconds) {
    roles.values().forEach(role -> role.process().terminate());
    roles.forEach(
        (name, role) -> {
          assertThat(role.process().exitCode(graceSeconds)).as(name).isEqualTo(143);
          assertThat(role.process().written()).doesNotContain(" ERROR ");
        });
  }

  /** The first of ten free ports in a row; it ends in 0. */
  private static int tenFreePorts() {
    for (int base = 20_000; base < 30_000; base += 10) {
      if (IntStream.range(base, base + 10).allMatch(ImageSystemIT::isFree)) {
        return base;
      }
    }
    throw new AssertionError("no ten free ports in a row");
  }

  private static boolean isFree(int port) {
    try (ServerSocket _ = new ServerSocket(port)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
