package dev.lasso.system.clients;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One chain on real nodes, a fault proxy before each, and Lasso before the proxies: the scene of
 * the npm client tests ({@code clients/scene.mjs}) run as a process. Owned by one test thread.
 */
final class ClientScene implements AutoCloseable {
  private static final Path CLIENTS = Path.of("clients");
  private static final Pattern READY = Pattern.compile("scene ready http=(\\S+) ws=(\\S+)");
  private static final long STOP_SECONDS = 30;

  private final Process process;
  private final BufferedReader output;
  private final BufferedWriter commands;
  private final String http;

  private ClientScene(Process process, BufferedReader output, String http) {
    this.process = process;
    this.output = output;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.http = http;
  }

  /** Starts the scene and waits until its endpoint answers. */
  static ClientScene start() throws IOException {
    Process process =
        new ProcessBuilder("node", "scene.mjs")
            .directory(CLIENTS.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    Matcher ready = READY.matcher(line == null ? "" : line);
    if (!ready.matches()) {
      process.destroy();
      throw new IllegalStateException("the scene did not start: " + line);
    }
    return new ClientScene(process, output, ready.group(1));
  }

  /** The chain's HTTP endpoint. */
  String http() {
    return http;
  }

  /** Mines blocks on every node; they are on all nodes when this returns. */
  void mine(int blocks) {
    try {
      commands.write("mine " + blocks + "\n");
      commands.flush();
      String line = output.readLine();
      if (!"mined".equals(line)) {
        throw new IllegalStateException("the scene did not mine: " + line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A member of the committed contract artifact, as text: {@code bytecode}. */
  static String bytecode() throws IOException {
    String artifact = Files.readString(CLIENTS.resolve("contract/Dial.json"));
    Matcher member = Pattern.compile("\"bytecode\": \"(0x[0-9a-f]+)\"").matcher(artifact);
    if (!member.find()) {
      throw new IllegalStateException("no bytecode in Dial.json");
    }
    return member.group(1);
  }

  /** Stops Lasso, the proxies and the nodes; fails if they did not stop cleanly. */
  @Override
  public void close() throws IOException {
    commands.close();
    process.onExit().completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS).join();
    boolean ended = !process.isAlive();
    process.destroyForcibly();
    if (!ended || process.exitValue() != 0) {
      throw new IllegalStateException("the scene did not stop cleanly; its reason is on stderr");
    }
  }
}
