package dev.lasso.benchmarks.subscriptions;

import dev.lasso.benchmarks.LassoProcesses;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A broker, health, blocksync and one subscription-service, each a process of its own, and what the
 * last of them uses. Called by the harness's thread; closing it ends the processes.
 */
final class Platform implements AutoCloseable {
  private static final double TICKS_PER_SECOND = 100;

  private final LassoProcesses lasso;
  private final Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private String kafka = "";
  private URI subscription = URI.create("http://127.0.0.1");
  private long pid;

  /**
   * @param home the checkout, with everything built
   * @param directory for logs and state
   */
  Platform(Path home, Path directory) {
    this.lasso = new LassoProcesses(home, directory);
    this.directory = directory;
  }

  /**
   * What is alive in a JVM's heap after a collection.
   *
   * @param bytes in all
   * @param byClass bytes by the name of the class
   */
  record Heap(long bytes, Map<String, Long> byClass) {
    Heap {
      byClass = Map.copyOf(byClass);
    }
  }

  /**
   * Starts everything; returns when it serves.
   *
   * @param profile the default profile as YAML
   * @param options JVM options of the subscription-service
   * @param settings its further environment variables
   */
  void start(String profile, String options, Map<String, String> settings)
      throws IOException, InterruptedException {
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(profiles.resolve("default.yml"), profile);
    kafka =
        lasso.ready(
            lasso.start("broker", Map.of(), "broker", "--ephemeral", "--kafka-port", "0"), "kafka");
    lasso.run("topics", "topics", "apply", "--kafka", kafka);
    lasso.run("apply", "profiles", "apply", profiles.toString(), "--kafka", kafka);
    Process health = role("health", Map.of());
    Process blocksync = role("blocksync", Map.of());
    Map<String, String> variables = new TreeMap<>(settings);
    variables.put("LASSO_JAVA_OPTS", options.isBlank() ? " " : options);
    Process serving = role("subscription", variables);
    pid = serving.pid();
    subscription = URI.create(lasso.ready(serving, "http"));
    lasso.ready(health, "http");
    lasso.ready(blocksync, "http");
  }

  /** Where the subscription-service is called. */
  URI webSocket() {
    return URI.create("ws://127.0.0.1:" + subscription.getPort() + "/ws/rpc/ethereum");
  }

  private Process role(String role, Map<String, String> variables) throws IOException {
    return lasso.start(
        role,
        variables,
        role,
        "--kafka",
        kafka,
        "--port",
        "0",
        "--data-dir",
        directory.resolve(role).toString());
  }

  /** What is alive in the subscription-service's heap; makes it collect. */
  Heap heap() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    Map<String, Long> byClass = new TreeMap<>();
    long total = 0;
    for (String line : process.inputReader().lines().toList()) {
      String[] words = line.trim().split("\\s+", -1);
      if (words.length >= 4 && words[0].endsWith(":") && words[0].length() > 1) {
        byClass.merge(words[3], Long.parseLong(words[2]), Long::sum);
      } else if (words[0].equals("Total")) {
        total = Long.parseLong(words[2]);
      }
    }
    if (total == 0) {
      throw new IOException("jcmd told no heap of process " + pid);
    }
    return new Heap(total, byClass);
  }

  /** Resident memory of the subscription-service in MiB: now, or at its highest. */
  long residentMib(boolean highest) throws IOException {
    String key = highest ? "VmHWM:" : "VmRSS:";
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
              .filter(line -> line.startsWith(key))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum()
          / 1_024;
    }
  }

  /**
   * Processor time that the subscription-service has used, in seconds.
   *
   * @param own in its own code, compilation and collection of garbage included
   * @param kernel in the kernel on its behalf
   */
  record Cpu(double own, double kernel) {
    Cpu since(Cpu before) {
      return new Cpu(own - before.own, kernel - before.kernel);
    }
  }

  Cpu cpu() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return new Cpu(
        Long.parseLong(fields[11]) / TICKS_PER_SECOND,
        Long.parseLong(fields[12]) / TICKS_PER_SECOND);
  }

  /**
   * The sum of a meter's series in the subscription-service; 0 when there is none.
   *
   * @param tag only of those with this in their tags
   */
  double meter(String name, String tag) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(subscription.resolve("/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(tag))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** A line of the report. */
  static void say(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }

  @Override
  public void close() {
    lasso.close();
    http.close();
  }
}
