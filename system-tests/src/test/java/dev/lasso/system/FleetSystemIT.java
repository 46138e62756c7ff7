package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways, every service and the broker, each a process of its own: what one learns reaches
 * the others, and what happens to profiles and to Kafka reaches no caller. The same fleet serves
 * every test, each with a profile of its own. System properties make it as long as the platform's
 * promise, see docs/testing.md.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FleetSystemIT {
  private static final long OUTAGE_SECONDS = Long.getLong("lasso.system.outage.seconds", 15);
  private static final long REQUESTS = Long.getLong("lasso.system.requests", 1_000);
  private static final int FAILURES = Integer.getInteger("lasso.system.failures", 2);

  /** A method that may take longer than it takes to apply a profile. */
  private static final String TRACE_METHOD = "debug_traceBlockByNumber";

  private static final String TRACE =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":[\"latest\"]}"
          .formatted(TRACE_METHOD);
  private static final List<String> ROLES =
      List.of("gateway", "gateway", "health", "blocksync", "benchmark", "subscription");

  /** Those that a role reads. */
  private static final List<String> READ_TOPICS =
      List.of(
          "profiles",
          "probes",
          "attempts",
          "latency-digests",
          "instance-health",
          "upstream-heads",
          "chain-state",
          "provider-metrics",
          "chain-events",
          "filters",
          "presence");

  private final TestProviders providers = TestProviders.start("one", "two", "three");
  private final List<Rpc> all = new ArrayList<>();
  private Fleet fleet;
  private LassoCommand broker;
  private Rpc first;
  private Rpc second;

  @BeforeAll
  void start(@TempDir Path directory) {
    fleet = new Fleet(directory);
    broker = fleet.broker();
    fleet.createTopics();
    for (String role : ROLES) {
      all.add(new Rpc(fleet.start(role, 0).ready().http()));
    }
    first = all.get(0);
    second = all.get(1);
  }

  @AfterAll
  void end() {
    providers.close();
    fleet.close();
  }

  @AfterEach
  void endAllFaults() {
    List.of("one", "two", "three").forEach(id -> providers.faults(id).clear());
  }

  @Test
  void aProviderThatFailsAtOneGatewayIsLeftByTheOther() {
    inForce("failing", "one", "two");
    failAtFirst("failing", "one");
    Await.until(
        () -> {
          JsonObject seen = Fleet.provider(second, "failing", "one");
          assertThat(seen.getString("fleet_circuit")).as(seen.encode()).isEqualTo("open");
          assertThat(seen.getString("local_circuit")).isEqualTo("closed");
          assertThat(seen.getString("rejected")).isNotNull();
        });
    providers.faults("one").clear();
    for (Rpc gateway : List.of(first, second)) {
      usableAgain(gateway, "failing", "one");
    }
  }

  @Test
  void everyFailureSpreads() {
    double[] tookMs = new FailureSpread(fleet, first, second).measure(FAILURES);
    Figures.print(
        "failure at one gateway until the other leaves the provider, %d times: p50 %.1f ms, p99 %.1f ms, longest %.1f ms"
            .formatted(
                tookMs.length,
                FailureSpread.percentile(tookMs, 0.5),
                FailureSpread.percentile(tookMs, 0.99),
                tookMs[tookMs.length - 1]));
    assertThat(tookMs).hasSize(FAILURES);
  }

  @Test
  void noRequestNoticesThatItsProfileChanges() {
    String slug = "changing";
    List<String> variants =
        List.of(
            yaml(slug, "", providers.provider("two", "two"), providers.provider("three", "three")),
            yaml(slug, "priority", providers.provider("two", "renamed")),
            yaml(slug, "fastest", providers.provider("three", "three")),
            yaml(
                slug,
                "latency_weighted",
                providers.provider("one", "one"),
                providers.provider("two", "two"),
                providers.provider("three", "renamed")));
    inForce(slug, "one", "two");
    try (Load load = Load.start("/rpc/profile/" + slug + "/main", first, second)) {
      load.awaitAnswers(100);
      for (int round = 0; round < variants.size() || load.answers() < REQUESTS; round++) {
        String yaml = variants.get(round % variants.size());
        fleet.apply(yaml);
        for (Rpc gateway : List.of(first, second)) {
          Await.until(
              () ->
                  assertThat(Fleet.ids(gateway, slug))
                      .isNotEmpty()
                      .allSatisfy(id -> assertThat(yaml).contains("id: " + id + "\n"))
                      .hasSize(yaml.split("- id: ", -1).length - 1));
        }
        load.awaitAnswers(100);
      }
      assertThat(load.failures()).isEmpty();
      Figures.print("requests while the profile changed: " + load.answers() + ", none failed");
    }
  }

  @Test
  void aRemovedProviderAnswersWhatItHasBegun() throws Exception {
    inForce("draining", "one", "two");
    String atTwo = "/rpc/profile/draining/provider/two/main";
    providers.faults("two").pin("delay:20s methods=" + TRACE_METHOD);
    CompletableFuture<JsonObject> running =
        CompletableFuture.supplyAsync(() -> first.result(atTwo, TRACE));
    Await.until(() -> assertThat(providers.calls("two", TRACE_METHOD)).isPositive());
    fleet.apply(providers.profile("draining", "one"));
    Await.until(() -> assertThat(Fleet.ids(first, "draining")).containsExactly("one"));
    assertThat(first.post(atTwo, Rpc.BALANCE).statusCode()).isEqualTo(404);
    assertThat(running).isNotDone();
    assertThat(running.get(30, TimeUnit.SECONDS).containsKey("result")).isTrue();
  }

  @Test
  void noRequestFailsWhileKafkaIsAwayAndAllIsCurrentAfterwards() {
    inForce("outage", "one", "two");
    try (Load load = Load.start("/rpc/profile/outage/main", first, second)) {
      load.awaitAnswers(100);
      Await.until(() -> assertThat(measuredAtMs(first, "outage")).isPositive());
      broker.kill();
      Fleet.await("degraded", all);
      load.keepUp(OUTAGE_SECONDS, TimeUnit.SECONDS);
      for (Rpc process : all) {
        HttpResponse<String> degraded = process.get("/health/ready");
        assertThat(degraded.statusCode()).isEqualTo(200);
        assertThat(degraded.body()).contains(fleet.kafka());
      }
      final long height = height(first, "outage");
      final long backNs = System.nanoTime();
      final long backMs = System.currentTimeMillis();
      broker = fleet.broker();
      Fleet.await("ready", all);
      Figures.print(
          "all six processes ready again after the broker's start: %d ms"
              .formatted((System.nanoTime() - backNs) / 1_000_000));
      fleet.apply(providers.profile("outage", "one", "two", "three"));
      for (Rpc gateway : List.of(first, second)) {
        Await.until(() -> assertThat(Fleet.ids(gateway, "outage")).hasSize(3));
        Await.until(() -> assertThat(measuredAtMs(gateway, "outage")).isGreaterThan(backMs));
        Await.until(() -> assertThat(height(gateway, "outage")).isGreaterThan(height));
      }
      failAtFirst("outage", "three");
      Await.until(() -> assertThat(fleetCircuit(second, "outage", "three")).isEqualTo("open"));
      providers.faults("three").clear();
      assertThat(load.failures()).isEmpty();
      Figures.print(
          "requests around an outage of %d s: %d, none failed"
              .formatted(OUTAGE_SECONDS, load.answers()));
    }
    for (Rpc gateway : List.of(first, second)) {
      usableAgain(gateway, "outage", "three");
    }
  }

  @Test
  void recordsThatNobodyCanReadAreCountedKeptAsideAndSkipped() throws Exception {
    inForce("unreadable", "one", "two");
    first.result("/rpc/profile/unreadable/main", Rpc.BALANCE);
    BadRecords bad = new BadRecords(fleet.kafka());
    try (Heads heads =
        Heads.follow(first.base().replace("http:", "ws:") + "/ws/rpc/profile/unreadable/main")) {
      Await.until(() -> assertThat(heads.count()).isPositive());
      Map<String, Set<String>> sent = new TreeMap<>();
      for (String topic : READ_TOPICS) {
        sent.put("lasso." + topic, bad.send("lasso." + topic));
      }
      bad.send("lasso.routing-decisions"); // read by people only
      sent.forEach(
          (topic, places) -> {
            Await.until(() -> assertThat(rejected(topic)).isGreaterThanOrEqualTo(places.size()));
            Await.until(() -> assertThat(bad.deadLetters()).containsAll(places));
          });

      long nowMs = System.currentTimeMillis();
      long height = height(first, "unreadable");
      long headsBefore = heads.count();
      fleet.apply(providers.profile("unreadable", "one", "two", "three"));
      for (Rpc gateway : List.of(first, second)) {
        Await.until(() -> assertThat(Fleet.ids(gateway, "unreadable")).hasSize(3));
        Await.until(
            () -> {
              first.result("/rpc/profile/unreadable/main", Rpc.BALANCE);
              assertThat(measuredAtMs(gateway, "unreadable")).isGreaterThan(nowMs);
              assertThat(height(gateway, "unreadable")).isGreaterThan(height + 1);
            });
      }
      Await.until(() -> assertThat(heads.count()).isGreaterThan(headsBefore + 1));
      failAtFirst("unreadable", "three");
      Await.until(() -> assertThat(fleetCircuit(second, "unreadable", "three")).isEqualTo("open"));
      providers.faults("three").clear();
      usableAgain(second, "unreadable", "three");
      Fleet.await("ready", all);
    }
  }

  /** How many records of a topic were refused by all processes together. */
  private long rejected(String topic) {
    return all.stream()
        .flatMap(process -> process.get("/metrics").body().lines())
        .filter(line -> line.startsWith("lasso_dead_letters_total"))
        .filter(line -> line.contains("topic=\"" + topic + "\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Puts a profile in force; returns when both gateways serve it. */
  private void inForce(String slug, String... ids) {
    fleet.apply(providers.profile(slug, ids));
    for (Rpc gateway : List.of(first, second)) {
      Await.until(() -> assertThat(Fleet.ids(gateway, slug)).containsExactly(ids));
      for (String id : ids) {
        usableAgain(gateway, slug, id);
      }
    }
  }

  /** Makes a provider fail for real work, not for probes, until the first gateway leaves it. */
  private void failAtFirst(String slug, String id) {
    providers.faults(id).pin("http:503 methods=eth_getBalance");
    Await.until(
        () -> {
          first.post("/rpc/profile/%s/provider/%s/main".formatted(slug, id), Rpc.BALANCE);
          assertThat(Fleet.provider(first, slug, id).getString("local_circuit")).isEqualTo("open");
        });
  }

  private static void usableAgain(Rpc gateway, String slug, String id) {
    Await.await()
        .atMost(90, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              JsonObject seen = Fleet.provider(gateway, slug, id);
              assertThat(seen.getString("rejected")).as(seen.encode()).isNull();
              assertThat(seen.getString("circuit")).isEqualTo("closed");
            });
  }

  private static long measuredAtMs(Rpc gateway, String slug) {
    JsonArray rows =
        gateway
            .page("/api/metrics/main?profile=" + slug)
            .getJsonObject("methods", new JsonObject())
            .getJsonArray("eth_getBalance", new JsonArray());
    return rows.stream()
        .mapToLong(row -> ((JsonObject) row).getLong("updated_at_ms"))
        .max()
        .orElse(0);
  }

  private static String fleetCircuit(Rpc gateway, String slug, String id) {
    return Fleet.provider(gateway, slug, id).getString("fleet_circuit");
  }

  private static long height(Rpc gateway, String slug) {
    return gateway.page("/api/providers/main?profile=" + slug).getLong("consensus_height");
  }

  private static String yaml(String slug, String strategy, String... lines) {
    String head = TestProviders.head(slug);
    return (strategy.isEmpty()
            ? head
            : head.replace(
                "    providers:\n",
                "    routing:\n      default_strategy: " + strategy + "\n    providers:\n"))
        + String.join("", lines);
  }
}
