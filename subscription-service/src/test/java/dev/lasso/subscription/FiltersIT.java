package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.broker.EmbeddedBroker;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Stateful filters over two processes: whoever is asked, each change is told once. */
@ExtendWith(BrokerExtension.class)
class FiltersIT {
  private static final AtomicInteger TESTS = new AtomicInteger();

  private final ChainScene scene;
  private boolean lost;
  private final HttpClient http = HttpClient.newHttpClient();

  FiltersIT(TestBroker broker, @TempDir Path directory) {
    scene =
        new ChainScene(
            broker.bootstrapServers(),
            broker.topicPrefix() + TESTS.incrementAndGet() + ".",
            directory,
            0);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  /** Calls a process as a gateway would. */
  private JsonObject call(SubscriptionRig rig, String poll, String method, Object... params) {
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(
                      URI.create(
                          "http://127.0.0.1:" + rig.port() + "/internal/filters/default/ethereum"))
                  .header("X-Lasso-Caller", "somebody")
                  .header("X-Lasso-Poll", poll)
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          new JsonObject()
                              .put("jsonrpc", "2.0")
                              .put("id", 1)
                              .put("method", method)
                              .put("params", new JsonArray(List.of(params)))
                              .encode()))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return new JsonObject(response.body())
          .put("ask", response.headers().firstValue("X-Lasso-Ask").orElse(null));
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String made(SubscriptionRig rig, String method, Object... params) {
    JsonObject answer = call(rig, "", method, params);
    assertThat(answer.getString("result")).as(answer.encode()).matches("0x[0-9a-f]{32}");
    return answer.getString("result");
  }

  private JsonArray changes(SubscriptionRig rig, String filter) {
    JsonObject answer = call(rig, "", "eth_getFilterChanges", filter);
    assertThat(answer.containsKey("result")).as(answer.encode()).isTrue();
    return answer.getJsonArray("result");
  }

  private static List<String> hashes(List<SimBlock> blocks) {
    return blocks.stream().map(SimBlock::hash).toList();
  }

  @Test
  void eachBlockIsToldOnceByWhicheverProcessIsAsked() {
    List<SubscriptionRig> rigs = List.of(scene.process(Map.of()), scene.process(Map.of()));
    String filter = made(rigs.getFirst(), "eth_newBlockFilter");
    assertThat(changes(rigs.getLast(), filter)).isEmpty();

    List<Object> told = new ArrayList<>();
    List<SimBlock> mined = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      mined.addAll(scene.mine(2));
      told.addAll(changes(rigs.get(round % 2), filter).getList());
    }
    Await.until(
        () -> {
          told.addAll(changes(rigs.getLast(), filter).getList());
          assertThat(told).isEqualTo(hashes(mined));
        });
    assertThat(changes(rigs.getFirst(), filter)).isEmpty();
  }

  @Test
  void logsAreToldAndTakenBack() {
    SubscriptionRig rig = scene.process(Map.of());
    String token = scene.chain().tokens().getFirst();
    String filter = made(rig, "eth_newFilter", new JsonObject().put("address", token));
    List<SimBlock> mined = new ArrayList<>(scene.mine(6));
    List<String> expected = new ArrayList<>(logs("+", mined, token));
    List<String> told = new ArrayList<>();
    assertThat(expected).isNotEmpty();
    poll(rig, filter, told, expected);

    List<SimBlock> gone = mined.subList(3, 6).reversed();
    long from = gone.getLast().number();
    scene.chain().fork(3);
    gone.forEach(block -> expected.addAll(logs("-", List.of(block), token).reversed()));
    for (long number = from; number <= scene.chain().head().number(); number++) {
      expected.addAll(logs("+", List.of(scene.chain().block(number)), token));
    }
    poll(rig, filter, told, expected);
  }

  /** Polls until all that is expected was told, in order, and nothing else. */
  private void poll(SubscriptionRig rig, String filter, List<String> told, List<String> expected) {
    Await.until(
        () -> {
          for (Object value : changes(rig, filter)) {
            JsonObject log = (JsonObject) value;
            told.add((log.getBoolean("removed") ? "-" : "+") + log.getString("blockHash"));
          }
          assertThat(told).isEqualTo(expected);
        });
  }

  private static List<String> logs(String sign, List<SimBlock> blocks, String token) {
    return blocks.stream()
        .flatMap(
            block ->
                block.logs().stream()
                    .filter(log -> log.address().equals(token))
                    .map(_ -> sign + block.hash()))
        .toList();
  }

  @Test
  void aFilterOutlivesTheProcessThatMadeIt() {
    SubscriptionRig first = scene.process(Map.of());
    SubscriptionRig second = scene.process(Map.of());
    String filter = made(first, "eth_newBlockFilter");
    List<SimBlock> mined = new ArrayList<>(scene.mine(3));
    List<Object> told = new ArrayList<>();
    Await.until(
        () -> {
          told.addAll(changes(first, filter).getList());
          assertThat(told).hasSize(3);
        });
    first.close();

    mined.addAll(scene.mine(3));
    Await.until(
        () -> {
          told.addAll(changes(second, filter).getList());
          assertThat(told).isEqualTo(hashes(mined));
        });
  }

  @Test
  void aPollThatIsSentAgainTellsTheSameAgain() {
    SubscriptionRig first = scene.process(Map.of());
    SubscriptionRig second = scene.process(Map.of());
    String filter = made(first, "eth_newBlockFilter");
    scene.mine(2);
    AtomicInteger polls = new AtomicInteger();
    Await.until(
        () -> {
          String poll = "poll-" + polls.incrementAndGet();
          JsonArray told = call(first, poll, "eth_getFilterChanges", filter).getJsonArray("result");
          assertThat(told).hasSizeGreaterThanOrEqualTo(1);
          assertThat(call(second, poll, "eth_getFilterChanges", filter).getJsonArray("result"))
              .isEqualTo(told);
        });
  }

  @Test
  void filtersOfOthersAndEndedOnesAreNotFound() {
    SubscriptionRig rig = scene.process(Map.of("LASSO_FILTER_EXPIRY", "1s"));
    JsonObject unknown = call(rig, "", "eth_getFilterChanges", "0x1");
    assertThat(unknown.getJsonObject("error"))
        .isEqualTo(new JsonObject().put("code", -32000).put("message", "filter not found"));
    String filter = made(rig, "eth_newBlockFilter");
    assertThat(call(rig, "", "eth_uninstallFilter", filter).getBoolean("result")).isTrue();
    assertThat(call(rig, "", "eth_uninstallFilter", filter).getBoolean("result")).isFalse();
    assertThat(call(rig, "", "eth_getFilterChanges", filter).getJsonObject("error")).isNotNull();

    String unused = made(rig, "eth_newBlockFilter");
    Await.await()
        .pollInterval(Duration.ofMillis(1_200))
        .untilAsserted(
            () ->
                assertThat(call(rig, "", "eth_getFilterChanges", unused).getJsonObject("error"))
                    .isNotNull());
  }

  @Test
  void filtersThatTakeTooMuchAreRefused() {
    SubscriptionRig rig = scene.process(Map.of("LASSO_MAX_FILTER_BYTES_PER_CLIENT", "1024"));
    JsonArray topics =
        IntStream.range(0, 10)
            .mapToObj("0x%064x"::formatted)
            .collect(JsonArray::new, JsonArray::add, JsonArray::addAll);
    JsonObject criteria = new JsonObject().put("topics", new JsonArray().add(topics));
    String first = made(rig, "eth_newFilter", criteria);
    assertThat(call(rig, "", "eth_newFilter", criteria).getJsonObject("error").getString("message"))
        .isEqualTo(
            "filters too large: their criteria may take no more than 1024 bytes for one client and"
                + " 67108864 in all; uninstall those that are not needed");
    made(rig, "eth_newBlockFilter");
    assertThat(call(rig, "", "eth_uninstallFilter", first).getBoolean("result")).isTrue();
    made(rig, "eth_newFilter", criteria);

    topics.add("z".repeat(1 << 20)).addNull();
    JsonObject error = call(rig, "", "eth_newFilter", criteria).getJsonObject("error");
    assertThat(error.getInteger("code")).isEqualTo(-32602);
    assertThat(error.getString("message"))
        .isEqualTo("Invalid params: invalid topics[0][10]: expected 0x and 64 hex digits");
  }

  @Test
  void aFilterTooLargeInTheTopicIsPassedOverAndRemoved() {
    SubscriptionRig maker = scene.process(Map.of());
    String kept = made(maker, "eth_newBlockFilter");
    String huge = "0x" + "ab".repeat(16);
    scene.write(
        new ClientFilter(
            huge,
            ProfileSlug.of("default"),
            ChainScene.CHAIN,
            ClientFilter.Kind.LOGS,
            "{\"topics\":[[null,\"" + "z".repeat(700_000) + "\"]]}",
            "somebody",
            0,
            null,
            0,
            System.currentTimeMillis(),
            System.currentTimeMillis(),
            "another",
            "",
            false));
    String after = made(maker, "eth_newBlockFilter");
    assertThat(call(maker, "", "eth_getFilterChanges", huge).getJsonObject("error"))
        .isEqualTo(new JsonObject().put("code", -32000).put("message", "filter not found"));
    maker.close();

    SubscriptionRig next = scene.process(Map.of());
    assertThat(changes(next, kept)).isEmpty();
    assertThat(changes(next, after)).isEmpty();
    assertThat(call(next, "", "eth_getFilterChanges", huge).getJsonObject("error")).isNotNull();
    Await.until(() -> assertThat(scene.filters().get(huge)).as("removed").isFalse());
  }

  /** Kafka is away for thrice as long as a filter lives that nobody polls. */
  @Test
  void aFilterThatIsPolledOutlivesAnOutageOfKafka(@TempDir Path directory) {
    try (EmbeddedBroker broker = EmbeddedBroker.ephemeral(0).start();
        ChainScene there = new ChainScene(broker.bootstrapServers(), "outage.", directory, 0)) {
      SubscriptionRig rig = there.process(Map.of("LASSO_FILTER_EXPIRY", "2s"));
      String filter = made(rig, "eth_newBlockFilter");
      List<Object> told = new ArrayList<>();
      List<SimBlock> mined = new ArrayList<>(there.mine(2));
      pollThrough(rig, filter, told, hashes(mined));

      broker.stop();
      Instant until = Instant.now().plusSeconds(6);
      Await.until(
          () -> {
            told.addAll(toldOrLater(rig, filter));
            assertThat(Instant.now()).isAfter(until);
          });
      mined.addAll(there.mine(3));
      told.addAll(toldOrLater(rig, filter));
      broker.start();
      pollThrough(rig, filter, told, hashes(mined));
    }
  }

  private void pollThrough(
      SubscriptionRig rig, String filter, List<Object> told, List<String> expected) {
    Await.until(
        () -> {
          told.addAll(toldOrLater(rig, filter));
          assertThat(told).isEqualTo(expected);
        });
  }

  /**
   * What a poll tells; nothing where it can't be told now. A filter that is lost fails the test.
   */
  private List<?> toldOrLater(SubscriptionRig rig, String filter) {
    JsonObject answer = call(rig, "", "eth_getFilterChanges", filter);
    if (answer.containsKey("result")) {
      return answer.getJsonArray("result").getList();
    }
    lost |= answer.encode().contains(FilterPolls.NOT_FOUND);
    assertThat(lost).as(answer.encode()).isFalse();
    return List.of();
  }

  @Test
  void whatAProxyPassesOnIsRefused() throws Exception {
    SubscriptionRig rig = scene.process(Map.of());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + rig.port() + "/internal/filters/default/ethereum"))
            .header("X-Lasso-Caller", "somebody else")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_newBlockFilter\"}"));
    for (String header : List.of("X-Forwarded-For", "Forwarded")) {
      assertThat(
              http.send(
                      request.copy().header(header, "192.0.2.1").build(),
                      HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(403);
    }
    assertThat(http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aClientMakesNoMoreThanItMay() {
    SubscriptionRig rig = scene.process(Map.of("LASSO_MAX_FILTERS_PER_CLIENT", "2"));
    made(rig, "eth_newBlockFilter");
    String second = made(rig, "eth_newBlockFilter");
    assertThat(call(rig, "", "eth_newBlockFilter").getJsonObject("error").getString("message"))
        .startsWith("too many filters");
    call(rig, "", "eth_uninstallFilter", second);
    Await.until(() -> made(rig, "eth_newBlockFilter"));
  }

  @Test
  void pastLogsOfAFilterAreAskedOfProviders() {
    SubscriptionRig rig = scene.process(Map.of());
    try (SocketClient client = SocketClient.connect(rig.context.vertx(), rig.port())) {
      Object filter =
          client.result(
              "eth_newFilter", new JsonObject().put("fromBlock", "0x1").put("toBlock", "latest"));
      assertThat((JsonArray) client.result("eth_getFilterLogs", filter)).isNotEmpty();
      Object blocks = client.result("eth_newBlockFilter");
      assertThat(client.call("eth_getFilterLogs", blocks).getJsonObject("error")).isNotNull();
    }
  }

  @Test
  void waitingTransactionsAreToldOverWebSocketToo() {
    SubscriptionRig rig = scene.process(Map.of());
    try (SocketClient client = SocketClient.connect(rig.context.vertx(), rig.port())) {
      Object filter = client.result("eth_newPendingTransactionFilter");
      List<Object> told = new ArrayList<>();
      Await.until(
          () -> {
            scene.chain().mine();
            told.addAll(((JsonArray) client.result("eth_getFilterChanges", filter)).getList());
            assertThat(told).hasSizeGreaterThan(2).doesNotHaveDuplicates();
            assertThat(told).allMatch(hash -> hash.toString().matches("0x[0-9a-f]{64}"));
          });
    }
  }

  @Test
  void waitingTransactionsAreToldWhenAProfileHasGotOtherKeys() {
    SubscriptionRig rig = scene.process(Map.of());
    try (SocketClient client = SocketClient.connect(rig.context.vertx(), rig.port())) {
      client.subscribe("newPendingTransactions");
      Object filter = client.result("eth_newPendingTransactionFilter");
      awaitOneMore(client, filter);
      Set<InstanceId> before = rig.connected();

      scene.apply("second");
      Await.until(() -> assertThat(before).isNotEmpty().noneMatch(rig::keeps));

      awaitOneMore(client, filter);
      assertThat(client.messages()).doesNotHaveDuplicates();
    }
  }

  /** Mines until the subscription and the filter each tell of a transaction more. */
  private void awaitOneMore(SocketClient client, Object filter) {
    int heard = client.messages().size();
    List<Object> polled = new ArrayList<>();
    Await.until(
        () -> {
          scene.chain().mine();
          polled.addAll(((JsonArray) client.result("eth_getFilterChanges", filter)).getList());
          assertThat(polled).isNotEmpty();
          assertThat(client.messages()).hasSizeGreaterThan(heard);
        });
  }
}
