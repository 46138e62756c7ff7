package dev.lasso.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures, in one run and in turn: the upstream called directly, nginx, HAProxy, a bare Vert.x
 * proxy, the Lasso gateway. Prints a Markdown table with medians over the rounds.
 */
@Command(
    name = "benchmarks/load",
    mixinStandardHelpOptions = true,
    description = {
      "Compares the gateway with plain proxies before one upstream, round by round.",
      "Needs wrk, nginx and haproxy (Debian packages wrk, nginx-light, haproxy)."
    })
public final class LoadHarness implements Callable<Integer> {
  private static final int UPSTREAM = 18_540;
  private static final int NGINX = 18_541;
  private static final int HAPROXY = 18_542;
  private static final int BARE = 18_543;
  private static final int GATEWAY = 18_544;
  private static final int KAFKA = 18_545;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds; each measures every subject once (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      defaultValue = "8",
      description = "Length of one measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 8;

  @Option(
      names = "--connections",
      defaultValue = "64",
      description = "Client connections (default: ${DEFAULT-VALUE}).")
  private int connections = 64;

  @Option(names = "--home", required = true, description = "The checkout, with everything built.")
  private Path home = Path.of(".");

  private final List<Process> background = new ArrayList<>();

  /** Runs the harness. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new LoadHarness()).execute(arguments));
  }

  private record Sample(Wrk.Figures figures, double cpuMicrosPerRequest, double rssMib) {}

  @Override
  public Integer call() throws Exception {
    Path directory = Files.createTempDirectory("lasso-load-");
    List<Subject> subjects = List.of();
    try {
      subjects = start(directory);
      Wrk wrk = new Wrk(directory);
      for (Subject subject : subjects) {
        System.err.println("warming up " + subject.name());
        wrk.run(subject.url(), connections, seconds);
      }
      Map<String, List<Sample>> samples = new LinkedHashMap<>();
      for (int round = 1; round <= rounds; round++) {
        for (Subject subject : subjects) {
          System.err.println("round " + round + " of " + rounds + ": " + subject.name());
          samples.computeIfAbsent(subject.name(), _ -> new ArrayList<>()).add(sample(wrk, subject));
        }
      }
      System.out.print(table(samples));
    } finally {
      subjects.forEach(Subject::stop);
      background.forEach(Process::destroy);
    }
    return 0;
  }

  private Sample sample(Wrk wrk, Subject subject) throws IOException, InterruptedException {
    double before = subject.cpuSeconds();
    Wrk.Figures figures = wrk.run(subject.url(), connections, seconds);
    double used = subject.cpuSeconds() - before;
    return new Sample(figures, used * 1e6 / figures.requests(), subject.rssMib());
  }

  private List<Subject> start(Path directory) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    Process upstream =
        Subject.start(
            directory.resolve("upstream.log"),
            java,
            "-Xmx256m",
            "-cp",
            classPath,
            StubUpstream.class.getName(),
            Integer.toString(UPSTREAM));
    background.add(upstream);
    Subject.awaitPort(UPSTREAM, 30);
    List<Subject> subjects = new ArrayList<>();
    subjects.add(new Subject("direct", url(UPSTREAM, "/"), List.of(upstream)));
    subjects.add(
        new Subject(
            "nginx",
            url(NGINX, "/"),
            List.of(
                Subject.start(
                    directory.resolve("nginx.log"),
                    "nginx",
                    "-p",
                    directory.toString(),
                    "-c",
                    Files.writeString(directory.resolve("nginx.conf"), nginx(directory))
                        .toString()))));
    subjects.add(
        new Subject(
            "haproxy",
            url(HAPROXY, "/"),
            List.of(
                Subject.start(
                    directory.resolve("haproxy.log"),
                    "haproxy",
                    "-db",
                    "-f",
                    Files.writeString(directory.resolve("haproxy.cfg"), haproxy()).toString()))));
    subjects.add(
        new Subject(
            "bare Vert.x proxy",
            url(BARE, "/"),
            List.of(
                Subject.start(
                    directory.resolve("bare.log"),
                    java,
                    "-Xms64m",
                    "-Xmx160m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    classPath,
                    BareProxy.class.getName(),
                    Integer.toString(BARE),
                    Integer.toString(UPSTREAM)))));
    subjects.add(gateway(directory));
    for (int port : new int[] {NGINX, HAPROXY, BARE, GATEWAY}) {
      Subject.awaitPort(port, 90);
    }
    return subjects;
  }

  private Subject gateway(Path directory) throws IOException, InterruptedException {
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(
        profiles.resolve("default.yml"),
        """
        name: Load
        slug: default
        rps_limit: 0
        burst_limit: 0
        chains:
          ethereum:
            chain_id: 1
            providers:
              - id: one
                url: http://127.0.0.1:%d/one
              - id: two
                url: http://127.0.0.1:%d/two
              - id: three
                url: http://127.0.0.1:%d/three
        """
            .formatted(UPSTREAM, UPSTREAM, UPSTREAM));
    String lasso = home.resolve("lasso").toString();
    background.add(
        Subject.start(
            directory.resolve("broker.log"),
            lasso,
            "broker",
            "--ephemeral",
            "--kafka-port",
            Integer.toString(KAFKA)));
    Subject.awaitPort(KAFKA, 60);
    TimeUnit.SECONDS.sleep(2);
    String kafka = "127.0.0.1:" + KAFKA;
    require(
        Subject.start(directory.resolve("topics.log"), lasso, "topics", "apply", "--kafka", kafka));
    require(
        Subject.start(
            directory.resolve("profiles.log"),
            lasso,
            "profiles",
            "apply",
            profiles.toString(),
            "--kafka",
            kafka));
    Process process =
        Subject.start(
            directory.resolve("gateway.log"),
            lasso,
            "gateway",
            "--kafka",
            kafka,
            "--port",
            Integer.toString(GATEWAY),
            "--data-dir",
            directory.resolve("gateway").toString());
    Subject.awaitPort(GATEWAY, 60);
    TimeUnit.SECONDS.sleep(3); // until the profile is read
    return new Subject("Lasso gateway", url(GATEWAY, "/rpc/ethereum"), List.of(process));
  }

  private static void require(Process process) throws IOException, InterruptedException {
    if (process.waitFor() != 0) {
      throw new IOException("preparing Kafka failed: " + process.info().commandLine().orElse(""));
    }
  }

  private static String url(int port, String path) {
    return "http://127.0.0.1:" + port + path;
  }

  private static String nginx(Path directory) {
    return """
    daemon off;
    worker_processes 2;
    pid %s/nginx.pid;
    error_log %s/nginx-error.log;
    events { worker_connections 1024; }
    http {
      access_log off;
      client_body_temp_path %s/body;
      proxy_temp_path %s/proxy;
      fastcgi_temp_path %s/fastcgi;
      uwsgi_temp_path %s/uwsgi;
      scgi_temp_path %s/scgi;
      upstream stub { server 127.0.0.1:%d; keepalive 128; }
      server {
        listen 127.0.0.1:%d;
        location / {
          proxy_pass http://stub;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }
    }
    """
        .formatted(
            directory, directory, directory, directory, directory, directory, directory, UPSTREAM,
            NGINX);
  }

  private static String haproxy() {
    return """
    global
      nbthread 2
    defaults
      mode http
      timeout connect 5s
      timeout client 30s
      timeout server 30s
      http-reuse always
    frontend in
      bind 127.0.0.1:%d
      default_backend stub
    backend stub
      server one 127.0.0.1:%d
    """
        .formatted(HAPROXY, UPSTREAM);
  }

  private static String table(Map<String, List<Sample>> samples) {
    StringBuilder table =
        new StringBuilder(
            "| subject | requests/s | p50 ms | p99 ms | p99.9 ms | CPU µs/request | RSS MiB |"
                + " errors |\n"
                + "|---|---|---|---|---|---|---|---|\n");
    samples.forEach(
        (name, of) ->
            table.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.2f | %.2f | %.2f | %.0f | %.0f | %d |%n",
                    name,
                    median(of, sample -> sample.figures().perSecond()),
                    median(of, sample -> sample.figures().p50Ms()),
                    median(of, sample -> sample.figures().p99Ms()),
                    median(of, sample -> sample.figures().p999Ms()),
                    median(of, Sample::cpuMicrosPerRequest),
                    median(of, Sample::rssMib),
                    of.stream().mapToLong(sample -> sample.figures().errors()).sum())));
    return table.toString();
  }

  private interface Figure {
    double of(Sample sample);
  }

  private static double median(List<Sample> samples, Figure figure) {
    double[] sorted = samples.stream().mapToDouble(figure::of).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
