package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A fleet to which everything happens that can: two gateways, every service, a broker, a seeded
 * script of faults, under requests of several methods and strategies. What was done when is known,
 * so that what {@code lasso replay} tells can be held against it. Called by the test's thread.
 */
final class Incident implements AutoCloseable {
  /** Everything that is decided is recorded, so that what a test samples can be explained. */
  private static final Map<String, String> RECORD_ALL = Map.of("LASSO_RECORDER_DECISIONS", "10000");

  private static final Duration SLOW = Duration.ofSeconds(22);
  private static final Duration PAUSE = Duration.ofSeconds(4);

  private final IncidentProviders providers = IncidentProviders.start();
  private final Map<String, Long> began = new HashMap<>();
  private final Path directory;
  private final Fleet fleet;
  private List<IncidentTraffic.Seen> seen = List.of();

  Incident(Path directory) {
    this.directory = directory;
    fleet = new Fleet(directory);
  }

  /** Where everything was recorded. */
  String kafka() {
    return fleet.kafka();
  }

  /** What a {@code lasso replay} command printed that asked the topics. */
  String replay(String... arguments) {
    List<String> command = new ArrayList<>(List.of("replay"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--kafka", fleet.kafka()));
    return String.join("\n", LassoCommand.run(directory, command.toArray(String[]::new)));
  }

  /** What the callers saw. */
  List<IncidentTraffic.Seen> seen() {
    return seen;
  }

  /** When a step of the script was taken, milliseconds since the epoch. */
  long beganMs(String step) {
    Long atMs = began.get(step);
    assertThat(atMs).as(step).isNotNull();
    return atMs == null ? 0 : atMs;
  }

  /** Lets it happen; returns when it is over and all is recorded. */
  void happen() {
    LassoCommand broker = fleet.broker();
    fleet.createTopics();
    Rpc first = new Rpc(fleet.start("gateway", 0, RECORD_ALL).ready().http());
    Rpc second = new Rpc(fleet.start("gateway", 0, RECORD_ALL).ready().http());
    for (String role : List.of("health", "blocksync", "benchmark", "subscription")) {
      fleet.start(role, 0).ready();
    }
    fleet.apply(providers.chaos(), providers.lonely(), providers.incident());
    for (Rpc gateway : List.of(first, second)) {
      Await.until(() -> assertThat(ids(gateway, "chaos", "main")).hasSize(4));
      Await.until(() -> assertThat(ids(gateway, "incident", "side")).hasSize(3));
      usable(gateway, "chaos", "main", "delta");
      usable(gateway, "incident", "side", "shaky");
    }
    String subscribe = first.base().replace("http:", "ws:") + "/ws/rpc/profile/chaos/main";
    try (Heads _ = heads(subscribe);
        IncidentTraffic traffic = IncidentTraffic.start(first, second)) {
      traffic.keepUp(Duration.ofSeconds(12));
      script(traffic, first, second, broker);
      seen = traffic.seen();
    }
    Fleet.await("ready", List.of(first, second));
    fleet.endRoles(); // from here on only the broker is needed
  }

  private void script(IncidentTraffic traffic, Rpc first, Rpc second, LassoCommand broker) {
    step("slow", traffic);
    providers.faults("shaky").pin("delay:450ms");
    long slowUntilNs = System.nanoTime() + SLOW.toNanos();

    step("dead", traffic);
    providers.faults("alpha").pin("refuse");
    for (Rpc gateway : List.of(first, second)) {
      Await.until(
          () -> assertThat(seen(gateway, "chaos", "main", "alpha", "circuit")).isEqualTo("open"));
    }
    step("dead and known", traffic);
    traffic.awaitAnswers(60);
    for (int i = 0; i < 3; i++) {
      assertThat(traffic.ask(first, "/rpc/profile/lonely/main", "lonely").status()).isEqualTo(503);
    }
    step("hangs", traffic);
    providers.faults("beta").pin("hang methods=eth_getBalance,eth_gasPrice,eth_blockNumber");
    traffic.keepUp(Duration.ofSeconds(6));
    providers.faults("beta").clear();
    step("limited", traffic);
    providers.faults("gamma").pin("rateLimited:seconds:3s methods=eth_*");
    traffic.awaitAnswers(150);
    providers.faults("gamma").clear();
    providers.faults("alpha").clear();
    step("lags", traffic);
    providers.faults("delta").pin("stopHeads");
    for (Rpc gateway : List.of(first, second)) {
      Await.until(
          () ->
              assertThat(seen(gateway, "chaos", "main", "delta", "rejected")).contains("LAGGING"));
    }
    traffic.keepUp(Duration.ofSeconds(4)); // so far behind that no credit for time hides it
    step("lags and known", traffic);
    traffic.awaitAnswers(60);
    step("lag ends", traffic);
    providers.faults("delta").clear();
    traffic.keepUp(Duration.ofNanos(Math.max(1, slowUntilNs - System.nanoTime())));

    step("shaky limited", traffic);
    providers.faults("shaky").clear();
    providers.faults("shaky").pin("rateLimited:seconds:4s methods=eth_*");
    step("reorg", traffic);
    providers.chain("main").fork(3);
    traffic.awaitAnswers(200);
    step("changed", traffic);
    LassoCommand helper = fleet.start("health", 0);
    fleet.apply(providers.chaosChanged());
    for (Rpc gateway : List.of(first, second)) {
      Await.until(
          () ->
              assertThat(ids(gateway, "chaos", "main")).containsExactly("delta", "beta", "alpha"));
    }
    step("changed and known", traffic);
    traffic.awaitAnswers(100);

    step("shaky lies", traffic);
    providers.faults("shaky").clear();
    providers.faults("shaky").pin("ahead:500");
    traffic.keepUp(Duration.ofSeconds(6));
    helper.ready();
    providers.faults("shaky").clear();
    step("away", traffic);
    broker.pause();
    traffic.keepUp(PAUSE);
    broker.resume();
    step("over", traffic);
    traffic.keepUp(Duration.ofSeconds(4));
    helper.terminate();
    assertThat(helper.exitCode()).isIn(0, 143);
    traffic.awaitAnswers(100);
  }

  /** Heads that come: the first try may be earlier than the profile at the subscription-service. */
  private static Heads heads(String url) {
    AtomicReference<Heads> coming = new AtomicReference<>();
    Await.await()
        .pollInterval(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              Heads heads = coming.get();
              if (heads == null || heads.ended()) {
                heads = Heads.follow(url);
                coming.set(heads);
              }
              assertThat(heads.count()).isPositive();
            });
    return coming.get();
  }

  private void step(String name, IncidentTraffic traffic) {
    began.put(name, System.currentTimeMillis());
    traffic.phase(name);
  }

  private static List<String> ids(Rpc gateway, String profile, String chain) {
    return Fleet.ids(gateway, profile, chain);
  }

  private static String seen(Rpc gateway, String profile, String chain, String id, String key) {
    return String.valueOf(Fleet.provider(gateway, profile, chain, id).getValue(key));
  }

  private static void usable(Rpc gateway, String profile, String chain, String id) {
    Await.until(
        () -> {
          var seen = Fleet.provider(gateway, profile, chain, id);
          assertThat(seen.getString("rejected")).as(seen.encode()).isNull();
          assertThat(seen.getString("circuit")).isEqualTo("closed");
        });
  }

  @Override
  public void close() {
    providers.close();
    fleet.close();
  }
}
