package dev.lasso.system.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compose file, Kubernetes manifests, dashboards and alerts name only settings, metrics and
 * commands that there are.
 */
class DeploymentFilesTest {
  private static final Path ROOT = Tool.ROOT;

  /** What compose itself, not Lasso, reads. */
  private static final Set<String> COMPOSE_ONLY =
      Set.of(
          "LASSO_PORT",
          "LASSO_NETWORK",
          "LASSO_IMAGE",
          "LASSO_REGION",
          "LASSO_PROFILES",
          "LASSO_KEYS_FILE");

  static final Set<String> ROLES =
      Set.of("gateway", "subscription", "health", "blocksync", "benchmark");

  @Test
  void dashboardsAndAlertsAskForMetricsThatThereAre() throws IOException {
    String known = Files.readString(ROOT.resolve("docs/metrics.md"));
    Set<String> asked = new TreeSet<>();
    for (Path file : files("deploy/compose", ".json", "alerts.yml")) {
      asked.addAll(found("\\blasso_[a-z_]+", Files.readString(file)));
    }
    assertThat(asked).hasSizeGreaterThan(12);
    assertThat(asked)
        .allSatisfy(
            metric ->
                assertThat(known)
                    .contains("`" + metric.replaceFirst("_(count|sum|bucket)$", "") + "`"));
  }

  @Test
  void variablesAreSettings() throws IOException {
    String known = Files.readString(ROOT.resolve("docs/configuration.md"));
    Set<String> used = new TreeSet<>();
    List<Path> files = files("deploy/kubernetes", ".yaml");
    files.add(ROOT.resolve("docker-compose.yml"));
    files.add(ROOT.resolve(".env.example"));
    for (Path file : files) {
      used.addAll(found("\\bLASSO_[A-Z_]+", Files.readString(file)));
    }
    used.removeAll(COMPOSE_ONLY);
    assertThat(used).contains("LASSO_TOPIC_PREFIX", "LASSO_ADVERTISED_HOST");
    assertThat(used)
        .allSatisfy(
            variable ->
                assertThat(
                        variable.startsWith("LASSO_KAFKA_") || known.contains("`" + variable + "`"))
                    .as(variable)
                    .isTrue());
  }

  @Test
  void everyRoleIsAServiceOfItsOwn() throws IOException {
    String compose = Files.readString(ROOT.resolve("docker-compose.yml"));
    for (String role : ROLES) {
      assertThat(compose).contains("command: [\"" + role + "\", \"--kafka\"");
      assertThat(Files.readString(ROOT.resolve("deploy/kubernetes/base/" + role + ".yaml")))
          .contains(
              "args: [\"" + role + "\", \"--kafka\"", "path: /health/ready", "maxUnavailable: 1");
    }
    assertThat(found("- \"\\$\\{[A-Z_]+:-\\d+\\}:\\d+\"", compose))
        .as("ports open to other machines")
        .containsExactly("- \"${LASSO_PORT:-4000}:4000\"");
  }

  @Test
  void theClusterCarriesTheProfilesThatTheRepositoryShows() throws IOException {
    String schema = "\\$schema=\\S+";
    assertThat(
            Files.readString(ROOT.resolve("deploy/kubernetes/base/profiles/default.yml"))
                .replaceFirst(schema, ""))
        .isEqualTo(
            Files.readString(ROOT.resolve("config/profiles/default.yml")).replaceFirst(schema, ""));
  }

  private static List<Path> files(String directory, String... endings) throws IOException {
    try (Stream<Path> walked = Files.walk(ROOT.resolve(directory))) {
      return new ArrayList<>(
          walked
              .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
              .sorted()
              .toList());
    }
  }

  private static Set<String> found(String pattern, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }
}
