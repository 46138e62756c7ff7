package dev.lasso.benchmarks.subscriptions;

import static dev.lasso.benchmarks.subscriptions.Platform.say;

import dev.lasso.simulator.ProviderSpec;
import dev.lasso.simulator.SimProvider;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Puts thousands of WebSocket clients, each with newHeads and log filters of its own, on one
 * subscription-service; mines blocks at simulated providers; says what that costs upstream, when
 * the clients have each block, and what a client weighs. Every client's sequence is checked: exit
 * code 1 when one has a gap or a repetition, or when more is asked of providers than one set of
 * subscriptions and one {@code eth_getLogs} a block.
 */
@Command(
    name = "benchmarks/subscriptions",
    mixinStandardHelpOptions = true,
    description = "Thousands of WebSocket clients on one subscription-service.")
public final class SubscriptionsHarness implements Callable<Integer> {
  private static final int TRANSACTIONS = 60;
  private static final int WARM_UP_BLOCKS = 10;
  private static final int WARM_UP_CLIENTS = 20;

  @Option(
      names = "--clients",
      defaultValue = "5000",
      description = "WebSocket clients (default: ${DEFAULT-VALUE}).")
  private int clients = 5_000;

  @Option(
      names = "--filters",
      defaultValue = "10",
      description = "Log filters of each, distinct (default: ${DEFAULT-VALUE}).")
  private int filters = 10;

  @Option(
      names = "--blocks",
      defaultValue = "30",
      description = "Blocks measured (default: ${DEFAULT-VALUE}).")
  private int blocks = 30;

  @Option(
      names = "--block-ms",
      defaultValue = "2000",
      description = "Time between blocks in ms (default: ${DEFAULT-VALUE}).")
  private int blockMs = 2_000;

  @Option(
      names = "--providers",
      defaultValue = "2",
      description = "Simulated providers (default: ${DEFAULT-VALUE}).")
  private int providers = 2;

  @Option(
      names = "--slow",
      defaultValue = "0",
      description = "Further clients that stop reading (default: ${DEFAULT-VALUE}).")
  private int slow;

  @Option(
      names = "--slow-subscriptions",
      defaultValue = "60",
      description = "Subscriptions of such a client to all logs (default: ${DEFAULT-VALUE}).")
  private int slowSubscriptions = 60;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Settings of the subscription-service.")
  private Map<String, String> settings = new TreeMap<>();

  @Option(
      names = "--java-opts",
      defaultValue = "",
      description = "JVM options of the subscription-service besides those of the lasso script.")
  private String options = "";

  @Option(
      names = "--classes",
      defaultValue = "0",
      description = "How many classes that clients' heap is made of to print.")
  private int classes;

  @Option(names = "--home", required = true, description = "The checkout, with everything built.")
  private Path home = Path.of(".");

  private final Deliveries deliveries = new Deliveries();
  private final List<String> faults = new ArrayList<>();

  /** Runs the harness. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SubscriptionsHarness()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Path directory = Files.createTempDirectory("lasso-subscriptions-");
    try (Simulation simulation = simulation().start().await();
        Platform platform = new Platform(home, directory)) {
      SimChain chain = simulation.chain("ethereum");
      try (var _ =
          chain.listen(
              update -> {
                long nowNs = System.nanoTime();
                update.added().forEach(block -> deliveries.mined(block, nowNs));
              })) {
        platform.start(profile(simulation), options, settings);
        try (Crowd crowd = new Crowd(platform.webSocket(), deliveries)) {
          run(simulation, platform, crowd);
        }
      }
    }
    faults.forEach(fault -> say("FAULT: %s", fault));
    say("logs of the processes: %s", directory);
    return faults.isEmpty() ? 0 : 1;
  }

  /** What was not as it should be, once it has been called; empty when all was. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  private Simulation simulation() {
    Simulation.Builder builder =
        Simulation.builder()
            .mineByCommandOnly()
            .recordedRequests(0)
            .chain(
                ChainSpec.of("ethereum", 1)
                    .withBlockTime(Duration.ofMillis(blockMs))
                    .withMaxTransactions(TRANSACTIONS)
                    .withInitialBlocks(8));
    for (int i = 0; i < providers; i++) {
      builder.provider(ProviderSpec.of("p" + i, "ethereum"));
    }
    return builder.build();
  }

  private String profile(Simulation simulation) {
    StringBuilder list = new StringBuilder();
    for (SimProvider provider : simulation.providers()) {
      list.append(
          "      - {id: %s, url: \"%s\", ws_url: \"%s\"}\n"
              .formatted(provider.spec().id(), provider.httpUrl(), provider.wsUrl()));
    }
    return """
    name: Subscriptions
    slug: default
    rps_limit: 0
    burst_limit: 0
    chains:
      ethereum:
        chain_id: 1
        block_time_ms: %d
        monitoring: {probe_interval_ms: 1000}
        routing: {hedge: {max: 0}}
        providers:
    %s\
    """
        .formatted(blockMs, list);
  }

  private void run(Simulation simulation, Platform platform, Crowd crowd)
      throws IOException, InterruptedException {
    SimChain chain = simulation.chain("ethereum");
    Blocks mining = new Blocks(chain, deliveries, blockMs);
    warmUp(crowd, mining, chain);
    Platform.Heap empty = platform.heap();
    List<Client> all = crowd.connect(clients);
    Crowd.each(all, (client, _) -> client.newHeads("", 0));
    Platform.Heap idle = platform.heap();
    long idleMib = platform.residentMib(false);
    List<List<Watch>> watches = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      watches.add(Watch.of(i, filters, chain.tokens(), chain.accounts()));
    }
    Crowd.each(all, (client, number) -> client.logs(watches.get(number), "", 0));
    Platform.Heap full = platform.heap();
    say("clients %d, each with newHeads and %d log filters of its own", clients, filters);
    say(
        "heap of a client with newHeads only: %.1f KiB; with its log filters: %.1f KiB",
        perClientKib(empty, idle), perClientKib(empty, full));
    grown("newHeads only", empty, idle);
    grown("log filters", idle, full);
    say(
        "resident: %d MiB with newHeads only, %d MiB with the filters",
        idleMib, platform.residentMib(false));

    long first = chain.head().number() + 1;
    mining.mine(WARM_UP_BLOCKS);
    mining.awaitHeads(all.size());
    Upstream before = Upstream.of(simulation);
    Platform.Cpu cpuBefore = platform.cpu();
    long begin = chain.head().number() + 1;
    mining.mine(blocks);
    mining.awaitHeads(all.size());
    Platform.Cpu cpu = platform.cpu().since(cpuBefore);
    figures("all reading", begin, chain.head().number());
    say(
        "processor: %.0f ms a block, and %.0f ms in the kernel",
        cpu.own() * 1_000 / blocks, cpu.kernel() * 1_000 / blocks);
    Upstream.Spent spent = before.until(Upstream.of(simulation), deliveries.from(begin));
    spent.report();
    faults.addAll(spent.faults());
    for (int i = 0; i < slow; i++) {
      SlowReader slowReader =
          new SlowReader(crowd, platform, deliveries, mining, slowSubscriptions, maxQueueBytes());
      slowReader.stopReading();
      figures("while one does not read", slowReader.from(), chain.head().number());
      faults.addAll(slowReader.resume());
    }
    mining.awaitHeads(all.size());
    check(all, watches, deliveries.from(first));
    say(
        "resident: %d MiB, at most %d MiB",
        platform.residentMib(false), platform.residentMib(true));
  }

  private long maxQueueBytes() {
    return Long.parseLong(settings.getOrDefault("LASSO_WS_MAX_QUEUE_BYTES", "33554432"));
  }

  /** Classes are loaded and the chain's stream begins, so that they do not count as a client's. */
  private void warmUp(Crowd crowd, Blocks mining, SimChain chain)
      throws IOException, InterruptedException {
    List<Client> some = crowd.connect(Math.min(WARM_UP_CLIENTS, clients));
    Crowd.each(some, (client, _) -> client.newHeads("", 0));
    List<Watch> watches = Watch.of(clients, filters, chain.tokens(), chain.accounts());
    Crowd.each(some, (client, _) -> client.logs(watches, "", 0));
    mining.mine(WARM_UP_BLOCKS);
    mining.awaitHeads(some.size());
    some.forEach(Client::close);
    TimeUnit.SECONDS.sleep(2); // until the server has noticed
  }

  private double perClientKib(Platform.Heap before, Platform.Heap after) {
    return (after.bytes() - before.bytes()) / 1_024.0 / clients;
  }

  private void grown(String what, Platform.Heap before, Platform.Heap after) {
    after.byClass().entrySet().stream()
        .map(
            entry ->
                Map.entry(
                    entry.getKey(),
                    entry.getValue() - before.byClass().getOrDefault(entry.getKey(), 0L)))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(classes)
        .forEach(
            entry -> say("  %s: %d bytes of %s", what, entry.getValue() / clients, entry.getKey()));
  }

  private void figures(String when, long from, long to) {
    Deliveries.Figures figures = deliveries.figures(from, to);
    say(
        "%s, %d blocks: a client has the header after p50 %.1f ms, p99 %.1f ms; the last client has"
            + " header and logs after p50 %.1f ms, p99 %.1f ms, at most %.1f ms",
        when,
        figures.blocks(),
        figures.clientP50(),
        figures.clientP99(),
        figures.lastP50(),
        figures.lastP99(),
        figures.lastMax());
  }

  private void check(List<Client> all, List<List<Watch>> watches, List<SimBlock> mined)
      throws InterruptedException {
    long wrong = 0;
    long delivered = 0;
    for (int i = 0; i < all.size(); i++) {
      Client client = all.get(i);
      long expected = 0;
      for (Watch watch : watches.get(i)) {
        expected +=
            mined.stream().flatMap(block -> block.logs().stream()).filter(watch::matches).count();
      }
      Blocks.await(() -> client.logs(), expected);
      delivered += client.heads() + client.logs();
      if (!client.fault().isEmpty()
          || client.heads() != mined.size()
          || client.logs() != expected) {
        wrong++;
        if (wrong <= 5) {
          faults.add(
              "client %d: %d of %d headers, %d of %d logs, %s"
                  .formatted(
                      i, client.heads(), mined.size(), client.logs(), expected, client.fault()));
        }
      }
    }
    say(
        "clients with a gap, a repetition or a wrong order: %d of %d; %d notifications checked",
        wrong, all.size(), delivered);
  }
}
