package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can't work is refused at once: one clear line, an exit code that says so, no stack trace.
 */
class RefusalSystemIT {
  private static final String PROFILE =
      """
      name: Test
      slug: default
      chains:
        ethereum:
          chain_id: 1
          providers:
            - id: one
              url: http://127.0.0.1:1
      """;

  @TempDir private Path directory = Path.of(".");
  private Path profiles = Path.of(".");

  @BeforeEach
  void writeProfile() throws IOException {
    profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(profiles.resolve("default.yml"), PROFILE);
  }

  @Test
  void aTakenPort() throws IOException {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(0));
      String port = Integer.toString(taken.getLocalPort());
      assertThat(refused(Map.of(), "demo", "--port", port, "--kafka-port", "0"))
          .containsExactly(
              "lasso: port "
                  + port
                  + " can't be used: Address already in use (another one may be given, 0 takes a"
                  + " free one)");
    }
  }

  @Test
  void aDirectoryThatIsNotThere() {
    assertThat(up("--profiles", directory.resolve("missing").toString()))
        .anySatisfy(line -> assertThat(line).contains("missing"));
  }

  @Test
  void aDataDirectoryThatIsAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThat(up("--profiles", profiles.toString(), "--data-dir", file.toString()))
        .singleElement()
        .asString()
        .startsWith("lasso: data directory " + file);
  }

  @Test
  void brokenYaml() throws IOException {
    Files.writeString(profiles.resolve("broken.yml"), "name: [Test\nslug: : :\n");
    List<String> lines = up("--profiles", profiles.toString());
    assertThat(lines).anySatisfy(line -> assertThat(line).contains("broken.yml:"));
    assertThat(lines.getLast()).startsWith("lasso: ");
  }

  @Test
  void anUnknownKeyNamesTheNearestKnownOne() throws IOException {
    Files.writeString(profiles.resolve("default.yml"), PROFILE.replace("chain_id", "chian_id"));
    assertThat(up("--profiles", profiles.toString()))
        .anySatisfy(
            line -> assertThat(line).contains("default.yml:5").contains("chian_id", "chain_id"));
  }

  @Test
  void anUnknownSettingNamesTheNearestKnownOne() {
    assertThat(
            refused(
                Map.of("LASSO_TOPIC_PREFFIX", "x."),
                "up",
                "--profiles",
                profiles.toString(),
                "--port",
                "0",
                "--kafka-port",
                "0",
                "--ephemeral"))
        .singleElement()
        .asString()
        .contains("LASSO_TOPIC_PREFFIX", "LASSO_TOPIC_PREFIX");
  }

  @Test
  void aMachineWithoutJdk() throws IOException {
    assertThat(
            refused(
                Map.of(
                    "JAVA_HOME",
                    directory.resolve("no-jdk").toString(),
                    "PATH",
                    onlyShellTools().toString(),
                    "LASSO_JVMS",
                    directory.resolve("no-jvms").toString()),
                "settings"))
        .singleElement()
        .asString()
        .startsWith("lasso: needs a JDK 25 or newer")
        .contains("no-jdk");
  }

  @Test
  void aCommandThatIsNone() {
    try (LassoCommand command = LassoCommand.start(directory, "dmeo")) {
      assertThat(command.exitCode()).isEqualTo(2);
      assertThat(command.errors()).first().asString().contains("dmeo");
    }
  }

  private List<String> up(String... arguments) {
    String[] all = new String[arguments.length + 6];
    all[0] = "up";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    System.arraycopy(
        new String[] {"--port", "0", "--kafka-port", "0", "--ephemeral"},
        0,
        all,
        arguments.length + 1,
        5);
    return refused(Map.of(), all);
  }

  private List<String> refused(Map<String, String> variables, String... arguments) {
    try (LassoCommand command = LassoCommand.start(directory, variables, arguments)) {
      assertThat(command.exitCode()).as(command.toString()).isPositive().isNotEqualTo(143);
      assertThat(command.output()).isEmpty();
      assertThat(command.errors())
          .as("no stack trace")
          .isNotEmpty()
          .noneMatch(line -> line.startsWith("\tat ") || line.contains("Exception"));
      return command.errors();
    }
  }

  /** A directory with the shell's own tools and nothing else, for a PATH without java. */
  private Path onlyShellTools() throws IOException {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : List.of("bash", "env", "dirname", "readlink", "find", "sed")) {
      Path found = Path.of("/usr/bin", tool);
      Files.copy(
          Files.exists(found) ? found : Path.of("/bin", tool),
          tools.resolve(tool),
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    return tools;
  }
}
