package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.routing.circuit.CircuitStatus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault cases F001 to F014: envelopes, ids and batches. */
class EnvelopeFaultCasesIT {
  private static final String READ = "eth_getUncleCountByBlockNumber";

  private TestGateway gateway;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start();
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
  }

  private ScriptedProvider provider(ScriptedProvider.Behaviour behaviour) throws Exception {
    return ScriptedProvider.start(gateway.vertx, behaviour);
  }

  private Reply post(String body) throws Exception {
    return gateway.post("/rpc/ethereum", body);
  }

  private static List<JsonObject> entries(Reply reply) {
    return reply.array().stream().map(JsonObject.class::cast).toList();
  }

  private static List<Object> ids(Reply reply) {
    return entries(reply).stream().map(entry -> entry.getValue("id")).toList();
  }

  @Test
  void f001IdsComeBackAsTheTextTheyWereSentAs() throws Exception {
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result("\"0x1\""))));
    for (String request : FaultCase.of("F001").asking(READ).texts()) {
      String id = request.replaceAll(".*\"id\":([^,]*),.*", "$1");
      Reply reply = post(request);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.text())
          .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":\"0x1\"}");
    }
    for (String id : List.of("\"\"", "\"a\\u0062\\\"\"", "null", "1e400", "-0", "\"1\"")) {
      assertThat(post("{\"jsonrpc\":\"2.0\",\"method\":\"" + READ + "\",\"id\":" + id + "}").text())
          .startsWith("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",");
    }
  }

  @Test
  void f002ZeroIsAnId() throws Exception {
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result("\"0x1\""))));
    FaultCase row = FaultCase.of("F002").asking(READ);
    assertThat(post(row.request(0)).text()).contains("\"id\":0,\"result\":\"0x1\"");
    assertThat(ids(post(row.request(1)))).containsExactly(0, 1);
  }

  @Test
  void f003NotificationsInABatchGetNoEntry() throws Exception {
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result("\"0x1\""))));
    List<String> requests = FaultCase.of("F003").texts();
    assertThat(ids(post(requests.get(0)))).containsExactly(32);
    assertThat(ids(post(requests.get(1)))).containsExactly(33);
  }

  @Test
  void aBatchOfNotificationsIsAnsweredWithNothing() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x1\""));
    gateway.serving(TestGateway.providers(u1));
    String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"eth_gasPrice\"}";
    Reply batch = post("[" + notification + "," + notification + "]");
    assertThat(batch.status()).isEqualTo(204);
    assertThat(batch.text()).isEmpty();
    Reply single = post(notification);
    assertThat(single.status()).isEqualTo(204);
    assertThat(single.text()).isEmpty();
  }

  @Test
  void f004AnEmptyBatchIsOneError() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x1\""));
    gateway.serving(TestGateway.providers(u1));
    Reply reply = post(FaultCase.of("F004").request(0));
    assertThat(reply.code()).isEqualTo(-32600);
    assertThat(reply.json().containsKey("id")).isTrue();
    assertThat(reply.json().getValue("id")).isNull();
    assertThat(u1.calls()).isEmpty();
  }

  @Test
  void f005BatchAnswersKeepTheirOrderHoweverTheyCome() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              switch (call.method()) {
                case "eth_maxPriorityFeePerGas" -> call.after(300, () -> call.result("\"0x1\""));
                case "eth_gasPrice" -> call.after(150, () -> call.result("\"0x2\""));
                default -> call.result("\"0x3\"");
              }
            });
    gateway.serving(TestGateway.providers(u1));
    Reply reply = post(FaultCase.of("F005").asking("eth_maxPriorityFeePerGas").request(0));
    assertThat(ids(reply)).containsExactly("a", "b", "c");
    assertThat(entries(reply).stream().map(entry -> entry.getString("result")))
        .containsExactly("0x1", "0x2", "0x3");
  }

  @Test
  void f006RepeatedIdsAreTwoCalls() throws Exception {
    ScriptedProvider u1 =
        provider(call -> call.result(call.method().equals("eth_gasPrice") ? "\"0x2\"" : "\"0x1\""));
    gateway.serving(TestGateway.providers(u1));
    FaultCase row = FaultCase.of("F006").asking("eth_maxPriorityFeePerGas");
    Reply batch = post(row.request(0));
    assertThat(ids(batch)).containsExactly(5, 5);
    assertThat(entries(batch).stream().map(entry -> entry.getString("result")))
        .containsExactly("0x1", "0x2");
    assertThat(gateway.postAll(row.texts().subList(1, 3)).stream().map(Reply::result))
        .containsExactly("0x1", "0x1");
  }

  private static final List<ScriptedProvider.Behaviour> BATCH_REFUSALS =
      List.of(
          call -> call.error(429, -32007, "300/second limit"),
          call ->
              call.respond(
                  200,
                  "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32007,\"message\":\"300/second"
                      + " limit\"}}"),
          call -> call.respond(200, "rate limited"),
          call -> call.respond(200, ""));

  @Test
  void f007EveryItemOfARefusedBatchIsToldTheCause() throws Exception {
    for (ScriptedProvider.Behaviour refusal : BATCH_REFUSALS) {
      gateway.serving(TestGateway.providers(provider(refusal)));
      Reply reply = post(FaultCase.of("F007").asking("eth_maxPriorityFeePerGas").request(0));
      assertThat(ids(reply)).containsExactly(1, 2, 3);
      assertThat(entries(reply))
          .allSatisfy(
              entry -> {
                JsonObject error = entry.getJsonObject("error");
                assertThat(error.getInteger("code")).isEqualTo(-32000);
                assertThat(error.getJsonObject("data").getJsonArray("attempts")).isNotEmpty();
              });
    }
  }

  @Test
  void f007WithAHealthyNeighbourTheBatchIsServed() throws Exception {
    for (ScriptedProvider.Behaviour refusal : BATCH_REFUSALS) {
      ScriptedProvider healthy = provider(ScriptedProvider.result("\"0x9\""));
      gateway.serving(TestGateway.providers(provider(refusal), healthy));
      Reply reply = post(FaultCase.of("F007").asking("eth_maxPriorityFeePerGas").request(0));
      assertThat(ids(reply)).containsExactly(1, 2, 3);
      assertThat(entries(reply).stream().map(entry -> entry.getString("result")))
          .containsOnly("0x9");
    }
  }

  @Test
  void f008AnErrorSpoilsOnlyItsItem() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.byRules(FaultCase.of("F008").rules("U1")));
    gateway.serving(TestGateway.providers(u1));
    List<JsonObject> entries = entries(post(FaultCase.of("F008").request(0)));
    assertThat(entries).hasSize(4);
    assertThat(entries.get(1).getJsonObject("error").getString("data")).isEqualTo("0x08c379a0");
    assertThat(List.of(entries.get(0), entries.get(2), entries.get(3)))
        .allSatisfy(entry -> assertThat(entry.getString("result")).isEqualTo("0x1"));
  }

  @Test
  void f009ANullIsAnAnswer() throws Exception {
    gateway.serving(
        TestGateway.providers(
            provider(ScriptedProvider.result("null")), provider(ScriptedProvider.result("null"))));
    for (String request : FaultCase.of("F009").texts()) {
      Reply reply = post(request);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.text()).contains("\"result\":null");
    }
    assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
    assertThat(gateway.circuit("u2")).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void f010ANullIsNotRemembered() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("null"));
    gateway.serving(TestGateway.providers(u1));
    FaultCase row = FaultCase.of("F010");
    assertThat(post(row.request(0)).result()).isNull();
    u1.behaves(ScriptedProvider.result("{\"status\":\"0x1\"}"));
    assertThat(post(row.request(1)).json().getJsonObject("result").getString("status"))
        .isEqualTo("0x1");
  }

  @Test
  void f011LocalAnswersHaveTheRightType() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x10\""));
    gateway.serving(TestGateway.providers(u1));
    assertThat(
            entries(post(FaultCase.of("F011").request(0))).stream()
                .map(entry -> entry.getValue("result")))
        .containsExactly("0x10", "0x1", "1");
    assertThat(u1.calls("eth_chainId") + u1.calls("net_version")).isZero();
  }

  @Test
  void f012DeepResultsPassWhole() throws Exception {
    String deep = "{\"calls\":[".repeat(750) + "{}" + "]}".repeat(750);
    ScriptedProvider u1 = provider(ScriptedProvider.result(deep));
    gateway.serving(TestGateway.providers(u1));
    Reply reply = post(FaultCase.of("F012").request(0));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).endsWith(",\"result\":" + deep + "}");
    assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void f013AResultIsTheProvidersBytes() throws Exception {
    String block =
        "{ \"number\":\"0x10\","
            + " \"l1BlockNumber\":\"0x1\",\"sendRoot\":\"0x2\",\"x-custom\":{\"b\":1.0e2,\"a\":null},"
            + "\"transactions\":[{\"nonce\":\"0x9\"},{\"nonce\":\"0x3\"},{\"nonce\":\"0x5\"}],\"é\":\"\\u00e9\"}";
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result(block))));
    assertThat(post(FaultCase.of("F013").request(0)).text())
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + block + "}");
  }

  @Test
  void f014NoSpellingSlipsPastARule() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x1\""));
    gateway.serving(TestGateway.providers(u1), "methods: {deny: [debug_traceCall]}");
    List<String> requests = FaultCase.of("F014").texts();
    Stream.of(
            requests.getFirst(),
            requests.getLast(),
            TestGateway.call("Eth_SendTransaction", "[]"),
            TestGateway.call("PERSONAL_unlockAccount", "[]"),
            TestGateway.call("Admin_peers", "[]"))
        .forEach(
            request -> {
              try {
                Reply reply = post(request);
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.code()).as(request).isEqualTo(-32601);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(u1.calls()).isEmpty();
  }

  @Test
  void oneBadItemSpoilsOnlyItself() throws Exception {
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result("\"0x1\""))));
    Reply reply =
        post("[1,{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_gasPrice\"},{\"id\":8},[],{}]");
    assertThat(reply.status()).isEqualTo(200);
    List<JsonObject> entries = entries(reply);
    assertThat(entries).hasSize(5);
    assertThat(entries.get(1).getString("result")).isEqualTo("0x1");
    assertThat(entries.get(2).getInteger("id")).isEqualTo(8);
    assertThat(entries.get(2).getJsonObject("error").getInteger("code")).isEqualTo(-32600);
  }

  @Test
  void aBatchReadsOneProvidersView() throws Exception {
    AtomicInteger served = new AtomicInteger();
    ScriptedProvider u1 = provider(call -> call.result("\"0x" + served.incrementAndGet() + "\""));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0xaaaa\""));
    ScriptedProvider u3 = provider(ScriptedProvider.result("\"0xbbbb\""));
    gateway.serving(
        TestGateway.providers(u1, u2, u3),
        "routing: {default_strategy: load_balanced, hedge: {max: 0}}");
    for (int round = 0; round < 10; round++) {
      JsonArray batch = new JsonArray();
      for (int i = 0; i < 20; i++) {
        batch.add(new JsonObject(TestGateway.call(READ, "[]")).put("id", i));
      }
      int before = gateway.observed.attempts.size();
      post(batch.encode());
      assertThat(
              gateway.observed.attempts.subList(before, before + 20).stream()
                  .map(attempt -> attempt.channel().provider())
                  .distinct())
          .hasSize(1);
    }
  }

  @Test
  void anItemFailsOverAlone() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              if (call.method().equals("eth_getBalance")) {
                call.respond(502, "bad gateway");
              } else {
                call.result("\"0x1\"");
              }
            });
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    gateway.serving(TestGateway.providers(u1, u2));
    Reply reply =
        post(
            "["
                + TestGateway.call(READ, "[]")
                + ","
                + TestGateway.call("eth_getBalance", "[\"0x0\",\"latest\"]")
                + "]");
    assertThat(entries(reply).stream().map(entry -> entry.getString("result")))
        .containsExactly("0x1", "0x2");
  }
}
