package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code lasso} command as an operating system process, as a person would run it. Its lines are
 * collected by two threads of their own; everything else is called by the test's thread. Closing it
 * ends the process and fails when Lasso logged an error that the test did not {@linkplain
 * #expectError expect}.
 */
public final class LassoCommand implements AutoCloseable {
  private static final Path SCRIPT = Path.of("..", "lasso").toAbsolutePath().normalize();

  /** Long enough for a start on a busy machine. */
  public static final Duration READY_WITHIN = Duration.ofSeconds(150);

  private static final long END_SECONDS = 60;
  private static final Pattern LASSO_ERROR = Pattern.compile("\\sERROR\\s+(dev\\.lasso|d\\.l)\\S*");

  private final String name;
  private final Process process;
  private final List<String> output = new CopyOnWriteArrayList<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final List<Thread> readers = new ArrayList<>();
  private final List<String> expectedErrors = new ArrayList<>();

  private LassoCommand(String name, Process process) {
    this.name = name;
    this.process = process;
    readers.add(collect(process.inputReader(StandardCharsets.UTF_8), output));
    readers.add(collect(process.errorReader(StandardCharsets.UTF_8), errors));
  }

  /** Starts {@code lasso arguments}; state goes below {@code directory}. */
  static LassoCommand start(Path directory, String... arguments) {
    return start(directory, Map.of(), arguments);
  }

  /** Starts it with further environment variables. */
  static LassoCommand start(Path directory, Map<String, String> variables, String... arguments) {
    return startBehind(List.of(), directory, variables, arguments);
  }

  /**
   * Starts it by another command that becomes it.
   *
   * @param before that command with its arguments; may be empty
   */
  static LassoCommand startBehind(
      List<String> before, Path directory, Map<String, String> variables, String... arguments) {
    List<String> command = new ArrayList<>(before);
    command.add(SCRIPT.toString());
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("LASSO_NO_BUILD", "1");
    builder.environment().putAll(variables);
    try {
      return new LassoCommand("lasso " + String.join(" ", arguments), builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("lasso can't be started", e);
    }
  }

  /** Runs it to its end, which must be a success; returns what it printed. */
  static List<String> run(Path directory, String... arguments) {
    try (LassoCommand command = start(directory, arguments)) {
      assertThat(command.exitCode()).as(command.toString()).isZero();
      return command.output();
    }
  }

  private static Thread collect(BufferedReader reader, List<String> lines) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try (reader) {
                reader.lines().forEach(lines::add);
              } catch (IOException | UncheckedIOException _) {
                // the process is gone, and with it the pipe
              }
            });
  }

  /** Blocks until it said that it is ready; returns the {@code key=value} words of that line. */
  public Ready ready() {
    Await.await().atMost(READY_WITHIN).until(() -> saidReady() || !process.isAlive());
    assertThat(saidReady()).as(toString()).isTrue();
    return new Ready(
        output.stream().filter(line -> line.startsWith("lasso ready ")).findFirst().orElseThrow());
  }

  private boolean saidReady() {
    return output.stream().anyMatch(line -> line.startsWith("lasso ready "));
  }

  /**
   * The line that says that all is up.
   *
   * @param line as printed
   */
  public record Ready(String line) {
    /** Where it listens. */
    public String http() {
      return word("http");
    }

    String kafka() {
      return word("kafka");
    }

    private String word(String key) {
      Matcher matcher = Pattern.compile(" " + key + "=(\\S+)").matcher(line);
      assertThat(matcher.find()).as("%s in '%s'", key, line).isTrue();
      return matcher.group(1);
    }
  }

  /** An error that Lasso logs and whose line contains {@code part} is as it should be. */
  void expectError(String part) {
    expectedErrors.add(part);
  }

  /** What it wrote to standard output so far. */
  List<String> output() {
    return List.copyOf(output);
  }

  /** What it wrote to standard error so far. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** All that it wrote so far, standard output first. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(output);
    lines.addAll(errors);
    return lines;
  }

  /** The id that the operating system gave it. */
  long pid() {
    return process.pid();
  }

  /** SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** SIGSTOP: it does nothing until it is {@linkplain #resume resumed}. */
  public void pause() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String signal) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).inheritIO().start();
      assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(kill.exitValue()).as("kill -%s of %s", signal, this).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Blocks until it has ended by itself or by a signal, all its lines read. */
  public int exitCode() {
    try {
      assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS)).as("end of %s", this).isTrue();
      for (Thread reader : readers) {
        reader.join(Duration.ofSeconds(5));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the end of " + name, e);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      exitCode();
    } finally {
      process.destroyForcibly();
    }
    assertThat(errors)
        .as("errors logged by %s", name)
        .noneMatch(
            line ->
                LASSO_ERROR.matcher(line).find()
                    && expectedErrors.stream().noneMatch(line::contains));
  }

  /** The command and the last lines it wrote, for a failure's message. */
  @Override
  public String toString() {
    List<String> last = List.copyOf(errors);
    return name
        + "\n  "
        + String.join("\n  ", output)
        + "\n  "
        + String.join("\n  ", last.subList(Math.max(0, last.size() - 30), last.size()));
  }
}
