package dev.lasso.system.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Commands of this machine that judge files of the repository. */
final class Tool {
  /** The repository. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final long PATIENCE_SECONDS = 60;

  private Tool() {}

  /** Skips the test, with the reason, where a command is not installed. */
  static void require(String command) {
    boolean there =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, command)));
    assumeTrue(there, command + " is not installed");
  }

  /** Skips the test where there is no kubectl that knows what the manifests use. */
  static void requireKustomize() {
    require("kubectl");
    // Debian 12 has 1.20, whose kustomize knows neither `labels` nor patches of several objects
    assumeTrue(
        run("kubectl", "kustomize", "--help").contains("--load-restrictor"),
        "kubectl is too old for these manifests");
  }

  /** Runs a command in the repository, which must end well; what it wrote. */
  static String run(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("%s: %s", Arrays.toString(command), output).isZero();
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while running " + command[0], e);
    }
  }

  /** As {@link #run(String...)}. */
  static String run(List<String> command) {
    return run(command.toArray(String[]::new));
  }
}
