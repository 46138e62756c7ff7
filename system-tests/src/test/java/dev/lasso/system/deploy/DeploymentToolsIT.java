package dev.lasso.system.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tools that will read them accept the files of the deployments and the shell scripts; a tool
 * that is not installed skips its test.
 */
class DeploymentToolsIT {
  private static final List<String> COMPOSE_PROFILES = List.of("demo", "observability", "tools");

  @Test
  void everyComposeProfileIsTried() {
    assertThat(Compose.read().profiles()).containsExactlyInAnyOrderElementsOf(COMPOSE_PROFILES);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void composeTakesTheFileWithEveryCombinationOfProfiles(int combination) {
    Tool.require("docker-compose");
    List<String> command = new ArrayList<>(List.of("docker-compose"));
    for (int i = 0; i < COMPOSE_PROFILES.size(); i++) {
      if ((combination >> i & 1) == 1) {
        command.addAll(List.of("--profile", COMPOSE_PROFILES.get(i)));
      }
    }
    command.add("config");
    JsonObject services =
        Yaml.documents(Tool.run(command)).getFirst().getJsonObject("services", new JsonObject());
    assertThat(services.fieldNames()).containsAll(DeploymentFilesTest.ROLES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"edge.cfg", "simulator-ports.cfg"})
  void haproxyTakesItsFiles(String file) {
    Tool.require("haproxy");
    Tool.run("haproxy", "-c", "-f", "deploy/compose/" + file);
  }

  @Test
  void prometheusTakesItsFiles() {
    Tool.require("promtool");
    Tool.run("promtool", "check", "rules", "deploy/compose/alerts.yml");
    Tool.run("promtool", "check", "config", "--syntax-only", "deploy/compose/prometheus.yml");
  }

  @Test
  void shellScriptsAreSound() throws IOException {
    Tool.require("shellcheck");
    List<String> scripts = shellScripts();
    assertThat(scripts).contains("lasso", "docker/live", "docker/lasso", ".ci/run", "bin/find-jdk");
    List<String> command = new ArrayList<>(List.of("shellcheck"));
    command.addAll(scripts);
    Tool.run(command);
  }

  private static List<String> shellScripts() throws IOException {
    List<String> scripts = new ArrayList<>();
    for (String directory : List.of("", "bin", "docker", "benchmarks", ".ci")) {
      try (Stream<Path> files = Files.list(Tool.ROOT.resolve(directory))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          String head = new String(beginning(file), StandardCharsets.ISO_8859_1);
          if (head.matches("(?s)#!\\S*(/| )(ba)?sh\\b.*")
              || head.startsWith("#!/usr/bin/env bash")) {
            scripts.add(Tool.ROOT.relativize(file).toString());
          }
        }
      }
    }
    return scripts;
  }

  private static byte[] beginning(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(60);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"base", "overlays/small", "overlays/production"})
  void kustomizeBuildsEveryVariant(String directory) {
    Tool.requireKustomize();
    String built = Tool.run("kubectl", "kustomize", "deploy/kubernetes/" + directory);
    for (String role : DeploymentFilesTest.ROLES) {
      assertThat(built).contains("name: lasso-" + role + "\n");
    }
    assertThat(built.contains("kind: HorizontalPodAutoscaler"))
        .isEqualTo(!directory.endsWith("small"));
    assertThat(built.contains("kind: KafkaUser")).isEqualTo(directory.endsWith("production"));
    assertThat(built.contains("SASL_SSL")).isEqualTo(!directory.endsWith("small"));
  }
}
