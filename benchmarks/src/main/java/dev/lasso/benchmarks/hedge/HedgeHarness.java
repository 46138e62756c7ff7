package dev.lasso.benchmarks.hedge;

import dev.lasso.benchmarks.LassoProcesses;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures {@code eth_call} through a whole platform before four providers: all healthy, then one
 * of them hanging on 5 % of its requests for ten seconds, without and with hedging. Prints a
 * Markdown table.
 */
@Command(
    name = "benchmarks/hedge",
    mixinStandardHelpOptions = true,
    description = "What hedging does when one of four providers hangs on 5 % of its requests.")
public final class HedgeHarness implements Callable<Integer> {
  private static final int PROVIDERS = 4;
  private static final double HANGING = 0.05;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "Length of one measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(
      names = "--rate",
      defaultValue = "100",
      description = "Requests per second (default: ${DEFAULT-VALUE}).")
  private int rate = 100;

  @Option(names = "--home", required = true, description = "The checkout, with everything built.")
  private Path home = Path.of(".");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicLong number = new AtomicLong();
  private final List<HangingProvider> providers = new ArrayList<>();

  /** Runs the harness. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new HedgeHarness()).execute(arguments));
  }

  /**
   * One measurement.
   *
   * @param latenciesMs sorted
   * @param errors answers without a result
   * @param upstream requests that the providers got
   */
  private record Figures(List<Double> latenciesMs, long errors, long upstream) {
    double percentile(double share) {
      return latenciesMs.get((int) Math.ceil(share * latenciesMs.size()) - 1);
    }

    double extraLoad() {
      return (double) upstream / latenciesMs.size() - 1;
    }
  }

  @Override
  public Integer call() throws Exception {
    Vertx vertx = Vertx.vertx();
    Path directory = Files.createTempDirectory("lasso-hedge-");
    try (LassoProcesses lasso = new LassoProcesses(home, directory)) {
      String http = start(lasso, directory, vertx);
      System.err.println("warming up, until latencies are known");
      measure(http + "/rpc/profile/plain/ethereum");
      measure(http + "/rpc/ethereum");
      Figures healthy = measure(http + "/rpc/ethereum");
      providers.getFirst().hang(HANGING);
      Figures plain = measure(http + "/rpc/profile/plain/ethereum");
      Figures hedged = measure(http + "/rpc/ethereum");
      System.out.println("| run | requests | p50 ms | p99 ms | max ms | extra load | errors |");
      System.out.println("|---|---|---|---|---|---|---|");
      print("four healthy providers", healthy);
      print("one hangs on 5 %, no hedging", plain);
      print("one hangs on 5 %, hedging", hedged);
      System.out.printf(
          Locale.ROOT,
          "%np99 with hedging is %.1f times the healthy p50%n",
          hedged.percentile(0.99) / healthy.percentile(0.5));
    } finally {
      vertx.close().await();
    }
    return 0;
  }

  /** Starts providers and platform; returns where it is called. */
  private String start(LassoProcesses lasso, Path directory, Vertx vertx) throws IOException {
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < PROVIDERS; i++) {
      HangingProvider provider = new HangingProvider(vertx, i);
      providers.add(provider);
      urls.add(provider.listen());
    }
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(profiles.resolve("default.yml"), profile("default", "{}", urls));
    Files.writeString(profiles.resolve("plain.yml"), profile("plain", "{max: 0}", urls));
    Process platform =
        lasso.start(
            "lasso",
            Map.of("LASSO_JAVA_OPTS", " "), // as it runs in earnest
            "up",
            "--profiles",
            profiles.toString(),
            "--port",
            "0",
            "--kafka-port",
            "0",
            "--ephemeral",
            "--data-dir",
            directory.resolve("data").toString());
    return lasso.ready(platform, "http");
  }

  private static String profile(String slug, String hedge, List<String> urls) {
    String list =
        urls.stream()
            .map(url -> "      - {id: p" + urls.indexOf(url) + ", url: \"" + url + "\"}\n")
            .collect(Collectors.joining());
    return """
    name: %s
    slug: %s
    rps_limit: 0
    burst_limit: 0
    chains:
      ethereum:
        chain_id: 1
        routing: {default_strategy: load_balanced, hedge: %s}
        providers:
    %s\
    """
        .formatted(slug, slug, hedge, list);
  }

  private Figures measure(String url) throws InterruptedException {
    long upstreamBefore = upstream();
    AtomicLong errors = new AtomicLong();
    List<CompletableFuture<Double>> calls = new ArrayList<>();
    long beganNs = System.nanoTime();
    for (int i = 0; i < seconds * rate; i++) {
      long dueNs = beganNs + i * 1_000_000_000L / rate;
      long waitNs = dueNs - System.nanoTime();
      if (waitNs > 0) {
        TimeUnit.NANOSECONDS.sleep(waitNs);
      }
      calls.add(send(url, errors));
    }
    List<Double> latenciesMs = calls.stream().map(CompletableFuture::join).sorted().toList();
    return new Figures(latenciesMs, errors.get(), upstream() - upstreamBefore);
  }

  private CompletableFuture<Double> send(String url, AtomicLong errors) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_call\",\"params\":[{\"to\":\"0x%040x\"},\"latest\"]}"
            .formatted(number.incrementAndGet());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    long sentNs = System.nanoTime();
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(
            response -> {
              if (!response.body().contains("\"result\"")) {
                errors.incrementAndGet();
              }
              return (System.nanoTime() - sentNs) / 1e6;
            });
  }

  private long upstream() {
    return providers.stream().mapToLong(HangingProvider::calls).sum();
  }

  private static void print(String run, Figures figures) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %.1f | %.1f | %.0f | %.1f %% | %d |%n",
        run,
        figures.latenciesMs().size(),
        figures.percentile(0.5),
        figures.percentile(0.99),
        figures.percentile(1),
        100 * figures.extraLoad(),
        figures.errors());
  }
}
