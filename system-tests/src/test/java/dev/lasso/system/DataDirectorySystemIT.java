package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A role whose data directory can't be written says so at once, in one line that names the
 * directory and what is wrong, and ends with code 1. The rights that root ignores are left to a
 * file in its place, to one without room, and to {@code /proc}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DataDirectorySystemIT {
  private Fleet fleet;
  private Path directory = Path.of(".");

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    this.directory = directory;
    Files.writeString(directory.resolve("file"), "");
    fleet = new Fleet(directory);
    fleet.broker();
    fleet.createTopics();
  }

  @AfterAll
  void end() {
    fleet.close();
  }

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of("broker", "file"),
        Arguments.of("gateway", "/proc/lasso"),
        Arguments.of("health", "file"),
        Arguments.of("health", "/proc/lasso"),
        Arguments.of("blocksync", "file/below"),
        Arguments.of("benchmark", "file"),
        Arguments.of("subscription", "/proc/lasso"),
        Arguments.of("up", "/proc/lasso"),
        Arguments.of("demo", "file"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isNamedInOneLineAtOnce(String role, String place) {
    Path data = directory.resolve(place);
    try (LassoCommand command =
        LassoCommand.start(
            directory,
            Map.of("LASSO_JAVA_OPTS", "-XX:TieredStopAtLevel=1"),
            arguments(role, data).toArray(String[]::new))) {
      assertThat(command.exitCode()).as(command.toString()).isEqualTo(1);
      assertThat(command.output()).isEmpty();
      assertThat(command.errors())
          .singleElement()
          .asString()
          .startsWith("lasso: ")
          .contains("data directory " + data);
    }
  }

  private List<String> arguments(String role, Path data) {
    return switch (role) {
      case "broker" -> List.of(role, "--kafka-port", "0", "--data-dir", data.toString());
      case "up" ->
          List.of(
              role,
              "--profiles",
              Path.of("..", "config", "profiles").toAbsolutePath().toString(),
              "--port",
              "0",
              "--kafka-port",
              "0",
              "--data-dir",
              data.toString());
      case "demo" ->
          List.of(role, "--port", "0", "--kafka-port", "0", "--data-dir", data.toString());
      default ->
          List.of(role, "--kafka", fleet.kafka(), "--port", "0", "--data-dir", data.toString());
    };
  }
}
