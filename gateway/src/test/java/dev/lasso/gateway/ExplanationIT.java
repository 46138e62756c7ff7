package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.schemas.DecisionKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How answers explain themselves: headers, metadata, 503 bodies, and the event of the request. */
class ExplanationIT {
  private static final String READ = "eth_getUncleCountByBlockNumber";
  private static final String BALANCE = "[\"0x1\",\"latest\"]";

  private static final Topic<DecisionKey, RoutingDecision> TOPIC =
      new TopicCatalogue(TopicSettings.defaults()).routingDecisions();

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

  /** The attempts of an event in the words of an answer. */
  private static JsonArray attempts(RoutingDecision decision) {
    JsonArray attempts = new JsonArray();
    for (RoutingDecision.Tried tried : decision.attempts()) {
      JsonObject attempt =
          new JsonObject()
              .put("provider", tried.channel().provider().value())
              .put("transport", tried.channel().transport().word());
      if (tried.outcome() instanceof AttemptOutcome.Failure failure) {
        attempt.put("error", failure.errorClass().word()).put("message", failure.message());
      }
      attempts.add(attempt);
    }
    return attempts;
  }

  private static JsonArray rejected(RoutingDecision decision) {
    JsonArray rejected = new JsonArray();
    for (RoutingDecision.Rejection each : decision.rejections()) {
      rejected.add(
          new JsonObject()
              .put("provider", each.channel().provider().value())
              .put("transport", each.channel().transport().word())
              .put("reason", each.reason().name())
              .put("detail", each.detail()));
    }
    return rejected;
  }

  private static JsonArray withoutLatency(JsonArray attempts) {
    for (Object attempt : attempts) {
      ((JsonObject) attempt).remove("latency_ms");
    }
    return attempts;
  }

  /** The event of the request as whoever reads the topic gets it: out of its record. */
  private RoutingDecision decision(String requestId) {
    Await.until(
        () ->
            assertThat(gateway.observed.decisions)
                .anyMatch(each -> each.requestId().value().equals(requestId)));
    RoutingDecision observed =
        gateway.observed.decisions.stream()
            .filter(each -> each.requestId().value().equals(requestId))
            .findFirst()
            .orElseThrow();
    ProducerRecord<byte[], byte[]> record = TOPIC.encoded(observed);
    RoutingDecision read =
        TOPIC.read(new ConsumerRecord<>(TOPIC.name(), 0, 0, record.key(), record.value())).value();
    if (read == null) {
      throw new AssertionError("a tombstone was read");
    }
    return read;
  }

  /** u1 fails, u2 lags, u3 does not serve the method, u4 as told. */
  private void four(ScriptedProvider.Behaviour last) throws Exception {
    ScriptedProvider u1 = provider(call -> call.respond(500, "disk full"));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    ScriptedProvider u3 = provider(ScriptedProvider.result("\"0x3\""));
    ScriptedProvider u4 = provider(last);
    gateway.serving(
        Map.copyOf(
            new java.util.TreeMap<>(
                Map.of(
                    "u1", u1.url(),
                    "u2", u2.url(),
                    "u3", u3.url() + " capabilities: {unsupported_methods: [eth_getBalance]}",
                    "u4", u4.url()))));
    gateway.atHeights(Map.of("u1", 1_000L, "u2", 100L, "u3", 1_000L, "u4", 1_000L));
  }

  @Test
  void metadataAndEventTellOfOneDecisionInTheSameWords() throws Exception {
    four(ScriptedProvider.result("\"0x7\""));
    for (int i = 0; i < 4; i++) {
      Reply reply =
          gateway.post(
              "/rpc/ethereum?include_meta=body", TestGateway.call("eth_getBalance", BALANCE));
      assertThat(reply.result()).isEqualTo("0x7");
      JsonObject meta = reply.json().getJsonObject("lasso_meta");
      RoutingDecision decision = decision(meta.getString("request_id"));
      assertThat(reply.header("X-Lasso-Request-Id")).isEqualTo(meta.getString("request_id"));
      assertThat(meta.getString("strategy")).isEqualTo(decision.strategy().word());
      assertThat(meta.getString("provider")).isEqualTo("u4");
      assertThat(meta.getInteger("candidates")).isEqualTo(decision.plan().size());
      assertThat(withoutLatency(meta.getJsonArray("attempts"))).isEqualTo(attempts(decision));
      assertThat(meta.getJsonArray("rejected"))
          .isEqualTo(rejected(decision))
          .hasSize(2)
          .extracting(each -> ((JsonObject) each).getString("reason"))
          .containsExactlyInAnyOrder("LAGGING", "CAPABILITY");
    }
  }

  @Test
  void a503AndItsEventTellOfOneDecisionInTheSameWords() throws Exception {
    four(call -> call.error(429, -32005, "rate limit exceeded"));
    Reply reply = gateway.ask("eth_getBalance", BALANCE);
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.code()).isEqualTo(-32000);
    JsonObject data = reply.error().getJsonObject("data");
    RoutingDecision decision = decision(data.getString("request_id"));
    assertThat(decision.outcome()).isEqualTo(RoutingDecision.Outcome.EXHAUSTED);
    assertThat(withoutLatency(data.getJsonArray("attempts")))
        .isEqualTo(attempts(decision))
        .extracting(each -> ((JsonObject) each).getString("error"))
        .containsExactlyInAnyOrder("server_error", "rate_limit");
    assertThat(data.getJsonArray("rejected")).isEqualTo(rejected(decision)).hasSize(2);
    assertThat(data.getLong("retry_after_ms")).isPositive();
    assertThat(reply.header("Retry-After")).isNotEmpty();
  }

  @Test
  void headersExplainWhatTheBodyWould() throws Exception {
    four(ScriptedProvider.result("\"0x7\""));
    Reply reply =
        gateway.post(
            "/rpc/ethereum",
            TestGateway.call("eth_getBalance", BALANCE),
            "X-Lasso-Include-Meta",
            "headers",
            "Origin",
            "https://app.example");
    RoutingDecision decision = decision(reply.header("X-Lasso-Request-Id"));
    assertThat(reply.header("X-Lasso-Provider")).isEqualTo("u4");
    assertThat(reply.header("X-Lasso-Transport")).isEqualTo("http");
    assertThat(reply.header("X-Lasso-Strategy")).isEqualTo("priority");
    assertThat(reply.header("X-Lasso-Circuit")).isEqualTo("closed");
    assertThat(reply.header("X-Lasso-Degraded")).isEqualTo("false");
    assertThat(reply.header("X-Lasso-Attempts"))
        .isEqualTo(Integer.toString(decision.attempts().size()));
    assertThat(reply.header("X-Lasso-Retries"))
        .isEqualTo(Integer.toString(decision.attempts().size() - 1));
    assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo("*");
    List<String> exposed = List.of(reply.header("Access-Control-Expose-Headers").split(", *", -1));
    assertThat(
            reply.headers().map().keySet().stream()
                .filter(name -> name.startsWith("x-lasso"))
                .toList())
        .hasSizeGreaterThan(10)
        .allMatch(name -> exposed.stream().anyMatch(name::equalsIgnoreCase));
  }

  @Test
  void everyItemOfABatchExplainsItself() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              switch (call.method()) {
                case "eth_gasPrice" -> call.respond(500, "no");
                case "debug_traceBlockByNumber" -> call.result("\"" + "x".repeat(4 << 20) + "\"");
                default -> call.result("\"0x1\"");
              }
            });
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    gateway.serving(TestGateway.providers(u1, u2));
    String batch =
        """
        [{"jsonrpc":"2.0","id":1,"method":"%s","params":[]},
         {"jsonrpc":"2.0","id":2,"method":"eth_gasPrice","params":[]},
         {"jsonrpc":"2.0","id":3,"method":"eth_chainId","params":[]},
         {"jsonrpc":"2.0","id":4,"method":"debug_traceBlockByNumber","params":["0x1"]},
         {"jsonrpc":"2.0","method":"eth_gasPrice","params":[]},
         7]
        """
            .formatted(READ);
    JsonArray answers = gateway.post("/rpc/ethereum?include_meta=body", batch).array();
    assertThat(answers).hasSize(5);
    assertThat(answers)
        .extracting(
            answer -> ((JsonObject) answer).getJsonObject("lasso_meta").getString("provider"))
        .containsExactly("u1", "u2", null, "u1", null);
    assertThat(answers.getJsonObject(1).getJsonObject("lasso_meta").getInteger("retries"))
        .isEqualTo(1);
    JsonArray plain = gateway.post("/rpc/ethereum", batch).array();
    assertThat(plain).noneMatch(answer -> ((JsonObject) answer).containsKey("lasso_meta"));
  }

  @Test
  void aProviderCanBeNamedInPathHeaderAndQuery() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x1\""));
    ScriptedProvider u2 = provider(call -> call.respond(500, "no"));
    gateway.serving(TestGateway.providers(u1, u2));
    String call = TestGateway.call(READ, "[]");
    List<Reply> replies =
        List.of(
            gateway.post("/rpc/provider/u2/ethereum", call),
            gateway.post("/rpc/ethereum", call, "X-Lasso-Provider", "u2"),
            gateway.post("/rpc/ethereum?provider=u2", call));
    for (Reply reply : replies) {
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.error().getJsonObject("data").getJsonArray("attempts"))
          .extracting(attempt -> ((JsonObject) attempt).getString("provider"))
          .containsExactly("u2");
    }
    assertThat(u1.calls()).isEmpty();
    assertThat(gateway.post("/rpc/provider/nobody/ethereum", call).status()).isEqualTo(404);
    // health still applies: five failures open the circuit, and nobody else is asked
    gateway.post("/rpc/provider/u2/ethereum", call);
    gateway.post("/rpc/provider/u2/ethereum", call);
    JsonObject data = gateway.post("/rpc/provider/u2/ethereum", call).error().getJsonObject("data");
    assertThat(data.getJsonArray("attempts")).isEmpty();
    assertThat(data.getJsonArray("rejected").encode()).contains("CIRCUIT_OPEN");
    assertThat(u1.calls()).isEmpty();
  }

  @Test
  void readsNeverGoBehindTheBlockThatTheCallerNames() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x1\""));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    gateway.serving(TestGateway.providers(u1, u2));
    gateway.atHeights(Map.of("u1", 1_000L, "u2", 1_002L));
    String call = TestGateway.call("eth_getBalance", BALANCE);
    Reply any = gateway.post("/rpc/ethereum", call);
    assertThat(any.result()).isEqualTo("0x1");
    assertThat(any.header("X-Lasso-Block")).isEqualTo("1000");
    for (String minimum : List.of("1001", "0x3e9")) {
      Reply later = gateway.post("/rpc/ethereum", call, "X-Lasso-Min-Block", minimum);
      assertThat(later.result()).isEqualTo("0x2");
      assertThat(later.header("X-Lasso-Block")).isEqualTo("1002");
    }
    Reply nobody = gateway.post("/rpc/ethereum?min_block=1003", call);
    assertThat(nobody.status()).isEqualTo(503);
    assertThat(nobody.error().getJsonObject("data").getJsonArray("rejected"))
        .extracting(each -> ((JsonObject) each).getString("reason"))
        .containsOnly("LAGGING");
    assertThat(gateway.post("/rpc/ethereum", call, "X-Lasso-Min-Block", "soon").status())
        .isEqualTo(400);
  }

  @Test
  void aSessionNeverReadsBackwards() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x1\""));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    gateway.serving(TestGateway.providers(u1, u2));
    gateway.atHeights(Map.of("u1", 1_000L, "u2", 1_002L));
    String call = TestGateway.call("eth_getBalance", BALANCE);
    String[] session = {"X-Lasso-Session", "wallet-7"};
    assertThat(gateway.post("/rpc/ethereum", call, session).result()).isEqualTo("0x1");
    Reply ahead = gateway.post("/rpc/ethereum?exclude=u1&session=wallet-7", call);
    assertThat(ahead.result()).isEqualTo("0x2");
    assertThat(ahead.header("X-Lasso-Block")).isEqualTo("1002");
    // u1 comes first, and has not reached what this session has seen
    assertThat(gateway.post("/rpc/ethereum", call, session).result()).isEqualTo("0x2");
    assertThat(gateway.post("/rpc/ethereum", "[" + call + "]", session).array().encode())
        .contains("0x2");
    // nobody else is bound by it
    assertThat(gateway.post("/rpc/ethereum", call).result()).isEqualTo("0x1");
    assertThat(gateway.post("/rpc/ethereum?session=wallet-8", call).result()).isEqualTo("0x1");
    Reply other =
        gateway.post(
            "/rpc/ethereum", call, "X-Lasso-Session", "wallet-7", "X-Api-Key", "somebody-else");
    assertThat(other.result()).isEqualTo("0x1");
    // and no answer is better than an older one
    Reply refused = gateway.post("/rpc/ethereum?exclude=u2&session=wallet-7", call);
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.error().getJsonObject("data").getJsonArray("rejected").encode())
        .contains("LAGGING");
    gateway.atHeights(Map.of("u1", 1_002L, "u2", 1_002L));
    assertThat(gateway.post("/rpc/ethereum", call, session).result()).isEqualTo("0x1");
    // a chain that was set back is read on
    gateway.atHeights(Map.of("u1", 5L, "u2", 5L));
    assertThat(gateway.post("/rpc/ethereum", call, session).result()).isEqualTo("0x1");
  }

  @Test
  void aPreflightIsAnsweredForAnyOrigin() throws Exception {
    var response =
        gateway
            .client()
            .send(
                java.net.http.HttpRequest.newBuilder(gateway.uri("/rpc/ethereum"))
                    .method("OPTIONS", java.net.http.HttpRequest.BodyPublishers.noBody())
                    .header("Origin", "https://app.example")
                    .header("Access-Control-Request-Method", "POST")
                    .header("Access-Control-Request-Headers", "content-type,x-lasso-min-block")
                    .build(),
                java.net.http.HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
    assertThat(response.headers().firstValue("Access-Control-Allow-Headers").orElse(""))
        .contains("x-lasso-min-block");
    assertThat(response.headers().firstValue("Access-Control-Allow-Methods").orElse(""))
        .contains("POST");
  }
}
