package dev.lasso.system.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command of a container as a process of this machine, with no environment but the given. */
final class PlainProcess implements AutoCloseable {
  private final String name;
  private final Process process;
  private final Path output;

  private PlainProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  /** Starts it; what it writes goes to a file in {@code directory}, in which it runs. */
  static PlainProcess start(
      Path directory, String name, List<String> command, Map<String, String> environment) {
    try {
      Path output = directory.resolve(name + ".out");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().clear();
      builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
      builder.environment().putAll(environment);
      return new PlainProcess(name, builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " can't be started", e);
    }
  }

  /** Runs it to its end; its exit code. */
  static int run(
      Path directory, String name, List<String> command, Map<String, String> environment) {
    try (PlainProcess process = start(directory, name, command, environment)) {
      return process.exitCode(60);
    }
  }

  /** Blocks until it has written a line that begins so. */
  void awaitLine(String beginning) {
    Await.await().atMost(90, TimeUnit.SECONDS).until(() -> said(beginning) || !process.isAlive());
    assertThat(said(beginning)).as(toString()).isTrue();
  }

  private boolean said(String beginning) {
    return written().lines().anyMatch(line -> line.startsWith(beginning));
  }

  /** All that it wrote so far. */
  String written() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** Blocks until it has ended, for so many seconds at most. */
  int exitCode(long withinSeconds) {
    try {
      assertThat(process.waitFor(withinSeconds, TimeUnit.SECONDS)).as("end of %s", this).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the end of " + name, e);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  @Override
  public String toString() {
    return name + ": " + written();
  }
}
