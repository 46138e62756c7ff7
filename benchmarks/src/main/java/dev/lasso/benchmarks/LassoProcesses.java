package dev.lasso.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Lasso's commands as processes of their own. Their logs lie in a directory of the harness; closing
 * it ends them, the last started first. Called by one thread.
 */
public final class LassoProcesses implements AutoCloseable {
  private static final long FINISHED_WITHIN_S = 120;
  private static final long ENDED_WITHIN_S = 20;

  private final Path script;
  private final boolean checkout;
  private final Path directory;
  private final List<Process> processes = new CopyOnWriteArrayList<>();

  /**
   * Nothing runs yet.
   *
   * @param home the checkout, with everything built
   * @param directory for logs and state
   */
  public LassoProcesses(Path home, Path directory) {
    this(home.resolve("lasso"), true, directory);
  }

  /**
   * Nothing runs yet.
   *
   * @param image what {@code docker/assemble} and {@code bin/train} laid out
   * @param directory for logs and state
   */
  public static LassoProcesses ofImage(Path image, Path directory) {
    return new LassoProcesses(image.resolve("bin", "lasso"), false, directory);
  }

  private LassoProcesses(Path script, boolean checkout, Path directory) {
    this.script = script;
    this.checkout = checkout;
    this.directory = directory;
    // a harness that is interrupted leaves nothing behind
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().unstarted(() -> processes.forEach(Process::destroy)));
  }

  /**
   * Starts a command, compiled by C1 alone unless {@code LASSO_JAVA_OPTS} says otherwise.
   *
   * @param name of its log
   * @param variables added to the environment
   */
  public Process start(String name, Map<String, String> variables, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(directory.resolve(name + ".log").toFile());
    if (checkout) {
      builder.environment().put("LASSO_NO_BUILD", "1");
    } else {
      builder.environment().remove("LASSO_NO_BUILD"); // no setting that the image knows
    }
    builder.environment().put("LASSO_JAVA_OPTS", "-XX:TieredStopAtLevel=1"); // starts sooner
    builder.environment().putAll(variables);
    Process process = builder.start();
    processes.addFirst(process);
    return process;
  }

  /** Runs a command to its end. */
  public void run(String name, String... arguments) throws IOException, InterruptedException {
    Process process = start(name, Map.of(), arguments);
    if (!process.waitFor(FINISHED_WITHIN_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("'lasso " + String.join(" ", arguments) + "' failed, see " + directory);
    }
  }

  /** Waits for the line that says that a process is ready, and reads a word of it. */
  public String ready(Process process, String word) throws IOException {
    BufferedReader lines = process.inputReader();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("lasso ready ")) {
        return line.replaceAll(".* " + word + "=(\\S+).*", "$1");
      }
    }
    throw new IOException("a process ended before it was ready, see " + directory);
  }

  /** Ends one of the processes. */
  public void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(ENDED_WITHIN_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    processes.remove(process);
  }

  /** Resident memory of a process in MiB. */
  public static long residentMib(Process process) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum()
          / 1_024;
    }
  }

  @Override
  public void close() {
    for (Process process : List.copyOf(processes)) {
      try {
        end(process);
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
