package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two subscription-services, a gateway, the other services and the broker, each a process of its
 * own: what clients are told while one of them is killed is exactly the chain's history.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubscriptionsSystemIT {
  private static final long OUTAGE_SECONDS = Long.getLong("lasso.system.outage.seconds", 15);
  private static final int FOLLOWERS = 10;
  private static final Duration BLOCK_TIME = Duration.ofMillis(500);
  private static final String RPC = "/rpc/profile/streams/main";
  private static final String SOCKETS = "/ws" + RPC;

  private final TestProviders providers = TestProviders.start(BLOCK_TIME, "one", "two", "three");
  private final List<Follower> followers = new ArrayList<>();
  private final List<Service> services = new ArrayList<>();
  private Fleet fleet;
  private LassoCommand broker;
  private Rpc gateway;

  /** One subscription-service. */
  private record Service(LassoCommand process, Rpc rpc) {
    String sockets() {
      return rpc.base().replace("http:", "ws:") + SOCKETS;
    }

    String port() {
      return rpc.base().substring(rpc.base().lastIndexOf(':'));
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) {
    fleet = new Fleet(directory);
    broker = fleet.broker();
    fleet.createTopics();
    LassoCommand started = fleet.start("gateway", 0);
    fleet.start("health", 0).ready();
    fleet.start("blocksync", 0).ready();
    gateway = new Rpc(started.ready().http());
    services.add(service());
    services.add(service());
    fleet.apply(
        TestProviders.head("streams")
                .replace(
                    "    providers:\n",
                    "    subscription:\n      max_backfill_blocks: 200\n    providers:\n")
            + providers.webSocketProvider("one")
            + providers.webSocketProvider("two")
            + providers.provider("three", "three"));
    Await.until(() -> assertThat(Fleet.ids(gateway, "streams")).hasSize(3));
    Await.until(() -> gateway.result(RPC, Rpc.BALANCE));
  }

  private Service service() {
    LassoCommand process = fleet.start("subscription", 0);
    return new Service(process, new Rpc(process.ready().http()));
  }

  @AfterEach
  void leave() {
    followers.forEach(Follower::close);
    followers.clear();
  }

  @AfterAll
  void end() {
    providers.close();
    fleet.close();
  }

  @Test
  void theOwnersDeathLosesAndRepeatsNothing() {
    List<Follower> ofTheOwner = new ArrayList<>();
    List<Follower> ofTheOther = new ArrayList<>();
    Service owner = owner();
    Service other = services.getFirst().equals(owner) ? services.getLast() : services.getFirst();
    for (int i = 0; i < FOLLOWERS; i++) {
      ofTheOwner.add(follow(owner.sockets()));
      ofTheOther.add(follow(other.sockets()));
    }
    try (Load load = Load.start(RPC, gateway)) {
      awaitExact(followers, chain().head().number() + 5);
      load.awaitAnswers(100);
      final long killedNs = System.nanoTime();
      owner.process().kill();
      long killedAt = chain().head().number();
      for (int i = 0; i < FOLLOWERS; i++) {
        Follower moving = ofTheOwner.get(i);
        String to = i % 2 == 0 ? other.sockets() : sockets(gateway);
        Await.await().until(() -> !moving.connected());
        Await.await()
            .ignoreExceptionsInstanceOf(CompletionException.class)
            .until(
                () -> {
                  moving.moveTo(to);
                  return true;
                });
      }
      awaitExact(ofTheOther, killedAt + 5);
      awaitExact(ofTheOwner, killedAt + 5);
      assertThat(load.failures()).isEmpty();
      Figures.print(
          "owner of the chain killed: longest time without a head at the other's %d clients %d ms"
                  .formatted(FOLLOWERS, longestSilenceMs(ofTheOther, killedNs))
              + ", at those that moved %d ms".formatted(longestSilenceMs(ofTheOwner, killedNs)));
    }
    services.remove(owner);
    services.add(service());
  }

  @Test
  void f038ProvidersThatAreCutOffInTurnLeaveNoGap() {
    follow(sockets(gateway));
    for (String id : List.of("one", "two")) {
      providers.faults(id).pin("refuse");
      awaitExact(followers, chain().head().number() + 5);
      providers.faults(id).clear();
      awaitExact(followers, chain().head().number() + 5);
    }
  }

  @Test
  void f039HeadsThatAreNotAnnouncedAreFilledIn() {
    follow(sockets(gateway));
    List.of("one", "two").forEach(id -> providers.faults(id).pin("skipHeads p=0.5"));
    awaitExact(followers, chain().head().number() + 10);
    List.of("one", "two").forEach(id -> providers.faults(id).clear());
    awaitExact(followers, chain().head().number() + 5);
  }

  @Test
  void theStreamGoesOnWhereItWasWhenKafkaIsBack() {
    for (Service service : services) {
      for (int i = 0; i < FOLLOWERS; i++) {
        follow(service.sockets());
      }
    }
    follow(sockets(gateway));
    // where the stream is when the filters are made, it may be some blocks behind
    final long before = chain().head().number() - 20;
    String blockFilter = filter("eth_newBlockFilter", "[]");
    String logFilter = filter("eth_newFilter", "[{}]");
    final long madeAt = chain().head().number();
    List<String> blocksTold = new ArrayList<>();
    List<String> logsTold = new ArrayList<>();
    awaitExact(followers, madeAt + 5);

    broker.kill();
    final long killedNs = System.nanoTime();
    Fleet.await("degraded", List.of(gateway, services.getFirst().rpc(), services.getLast().rpc()));
    try (Load load = Load.start(RPC, gateway)) {
      load.keepUp(OUTAGE_SECONDS, TimeUnit.SECONDS);
      assertThat(load.failures()).isEmpty();
    }
    assertThat(followers).allMatch(Follower::connected);
    followers.forEach(follower -> follower.ask(7));
    follow(sockets(gateway));
    long backNs = System.nanoTime();
    broker = fleet.broker();
    awaitExact(followers, chain().head().number() + 5);
    Figures.print(
        "Kafka away for %d s: all %d clients had all of it %d ms after the broker's start; longest time without a head %d ms"
            .formatted(
                OUTAGE_SECONDS,
                followers.size(),
                (System.nanoTime() - backNs) / 1_000_000,
                longestSilenceMs(followers, killedNs)));

    long last = chain().head().number();
    List<String> blocks = blocks(before, last).map(SimBlock::hash).toList();
    List<String> logs = logs(before, last);
    Await.until(
        () -> {
          told(blockFilter).forEach(hash -> blocksTold.add((String) hash));
          told(logFilter).forEach(log -> logsTold.add(((JsonObject) log).getString("blockHash")));
          assertToldAllOf(blocksTold, blocks, madeAt - before + 1);
          assertToldAllOf(logsTold, logs, logs(before, madeAt).size());
        });
  }

  /** For each log the hash of its block. */
  private List<String> logs(long from, long to) {
    return blocks(from, to)
        .flatMap(block -> IntStream.range(0, block.logs().size()).mapToObj(_ -> block.hash()))
        .toList();
  }

  /** From one of the first on to the last nothing is missing or there twice; more may follow. */
  private static void assertToldAllOf(List<String> told, List<String> known, long beginsBefore) {
    assertThat(told).isNotEmpty();
    int from = known.indexOf(told.getFirst());
    assertThat((long) from).isBetween(0L, beginsBefore);
    List<String> expected = known.subList(from, known.size());
    assertThat(told).startsWith(expected.toArray(String[]::new));
  }

  private String filter(String method, String params) {
    return gateway.result(RPC, call(method, params)).getString("result");
  }

  private JsonArray told(String filter) {
    return gateway
        .result(RPC, call("eth_getFilterChanges", "[\"" + filter + "\"]"))
        .getJsonArray("result");
  }

  private static String call(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }

  private SimChain chain() {
    return providers.chain();
  }

  private Stream<SimBlock> blocks(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(chain()::block);
  }

  private Follower follow(String url) {
    Follower follower = Follower.start(url);
    followers.add(follower);
    return follower;
  }

  private static String sockets(Rpc process) {
    return process.base().replace("http:", "ws:") + SOCKETS;
  }

  /** The one that owns the chain, as soon as both have a share. */
  private Service owner() {
    String partition =
        "upstream-heads-"
            + BuiltInPartitioner.partitionForKey(
                Long.toString(TestProviders.CHAIN_ID).getBytes(StandardCharsets.UTF_8),
                TopicSettings.defaults().partitions().getOrDefault(TopicName.UPSTREAM_HEADS, 1));
    List<String> owning = new ArrayList<>();
    Await.until(
        () -> {
          List<JsonObject> shared =
              gateway.page("/api/topology").getJsonArray("processes").stream()
                  .map(JsonObject.class::cast)
                  .filter(process -> process.getString("role").equals("subscription"))
                  .filter(process -> !process.getJsonArray("assignment").isEmpty())
                  .toList();
          assertThat(shared).hasSize(2);
          owning.clear();
          shared.stream()
              .filter(process -> process.getJsonArray("assignment").contains(partition))
              .map(process -> process.getString("address"))
              .forEach(owning::add);
          assertThat(owning).hasSize(1);
        });
    return services.stream()
        .filter(service -> owning.getFirst().endsWith(service.port()))
        .findFirst()
        .orElseThrow();
  }

  /** Everybody was told every block up to a height and its logs, in order, each once. */
  private void awaitExact(List<Follower> whom, long height) {
    for (Follower follower : whom) {
      Await.await().atMost(90, TimeUnit.SECONDS).untilAsserted(() -> assertExact(follower, height));
    }
  }

  private void assertExact(Follower follower, long height) {
    List<Follower.Head> heads = follower.heads();
    assertThat(heads).isNotEmpty();
    long first = heads.getFirst().number();
    assertThat(heads.getLast().number()).isGreaterThanOrEqualTo(height);
    assertThat(heads.stream().map(Follower.Head::hash))
        .containsExactlyElementsOf(
            blocks(first, heads.getLast().number()).map(SimBlock::hash).toList());
    assertThat(heads.stream().map(Follower.Head::parentHash).skip(1))
        .containsExactlyElementsOf(
            heads.stream().map(Follower.Head::hash).limit(heads.size() - 1L).toList());
    assertThat(
            follower.logs().stream().filter(log -> log.block() >= first && log.block() <= height))
        .containsExactlyElementsOf(
            blocks(first, height)
                .flatMap(
                    block ->
                        IntStream.range(0, block.logs().size())
                            .mapToObj(i -> new Follower.Log(block.number(), block.hash(), i)))
                .toList());
  }

  private static long longestSilenceMs(List<Follower> whom, long afterNs) {
    return whom.stream().mapToLong(follower -> follower.longestSilenceMs(afterNs)).max().orElse(0);
  }
}
