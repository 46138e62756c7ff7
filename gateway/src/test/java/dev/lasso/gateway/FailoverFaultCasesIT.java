package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.profiles.LoadResult;
import dev.lasso.profiles.ProfileFiles;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault cases F022 to F036: failover, circuits, limits, and blocks near the head. */
class FailoverFaultCasesIT {
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

  @Test
  void f022TheCallersMistakeGoesToOneProvider() throws Exception {
    FaultCase row = FaultCase.of("F022");
    ScriptedProvider u1 = provider(ScriptedProvider.byRules(row.rules("U1")));
    ScriptedProvider u2 = provider(ScriptedProvider.byRules(row.rules("U2")));
    ScriptedProvider u3 = provider(ScriptedProvider.byRules(row.rules("U3")));
    gateway.serving(TestGateway.providers(u1, u2, u3));
    for (String request : row.texts()) {
      assertThat(post(request).code()).isEqualTo(-32602);
    }
    assertThat(u1.calls().size() + u2.calls().size() + u3.calls().size()).isEqualTo(10);
    for (String id : List.of("u1", "u2", "u3")) {
      assertThat(gateway.circuit(id)).isEqualTo(CircuitStatus.CLOSED);
    }
  }

  @Test
  void f023RateLimitsInAnyFormRestTheProviderAndOpenNoCircuit() throws Exception {
    List<ScriptedProvider.Behaviour> forms =
        List.of(
            call -> call.error(-32005, "limit exceeded"),
            call -> call.error(429, "Too many requests"),
            call -> call.error(-32011, "request limit reached"),
            call -> call.error(429, -32007, "300/second limit"));
    FaultCase row = FaultCase.of("F023").asking(READ);
    for (ScriptedProvider.Behaviour form : forms) {
      ScriptedProvider u1 = provider(form);
      ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
      gateway.serving(TestGateway.providers(u1, u2));
      for (String request : row.texts().subList(0, 10)) {
        assertThat(post(request).result()).isEqualTo("0x2");
      }
      assertThat(
              post(row.request(10)).array().stream()
                  .map(item -> ((JsonObject) item).getString("result")))
          .containsOnly("0x2");
      assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
      assertThat(gateway.rateLimited("u1")).isTrue();
      assertThat(u1.calls().size()).isLessThan(10);
      u1.behaves(ScriptedProvider.result("\"0x1\""));
      Await.until(() -> assertThat(post(row.request(11)).result()).isEqualTo("0x1"));
    }
  }

  @Test
  void f024ATrialPlaceComesBackHoweverTheTrialEnds() throws Exception {
    ScriptedProvider u1 = provider(call -> call.respond(500, "oops"));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    gateway.serving(TestGateway.providers(u1, u2));
    List<ScriptedProvider.Behaviour> trials =
        List.of(
            call -> {}, // the caller goes away
            call -> call.error(3, "execution reverted"),
            call -> call.error(-32602, "invalid argument 0"));
    for (ScriptedProvider.Behaviour trial : trials) {
      u1.behaves(call -> call.respond(500, "oops"));
      Await.until(
          () -> {
            post(TestGateway.call(READ, "[]"));
            assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.OPEN);
          });
      u1.behaves(trial);
      Await.until(() -> assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.HALF_OPEN));
      int before = u1.calls().size();
      Await.until(
          () -> {
            CompletableFuture<Reply> call =
                gateway.send("/rpc/provider/u1/ethereum", TestGateway.call("eth_call", "[{}]"));
            try {
              call.get(50, TimeUnit.MILLISECONDS);
            } catch (java.util.concurrent.TimeoutException _) {
              call.cancel(true);
            }
            assertThat(u1.calls().size()).isGreaterThan(before);
          });
      Await.until(
          () ->
              assertThat(gateway.local.endpoint(gateway.channel("u1").endpoint()).trialsInFlight())
                  .isZero());
    }
    u1.behaves(ScriptedProvider.result("\"0x1\""));
    Await.until(() -> assertThat(post(TestGateway.call(READ, "[]")).result()).isEqualTo("0x1"));
    Await.until(
        () -> {
          assertThat(post(TestGateway.call(READ, "[]")).result()).isEqualTo("0x1");
          assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
        });
  }

  @Test
  void f025ALosingHedgeIsNoFailure() throws Exception {
    FaultCase row = FaultCase.of("F025").asking(READ);
    ScriptedProvider u1 = provider(call -> call.after(300, () -> call.result("\"0x1\"")));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    gateway.serving(
        TestGateway.providers(u1, u2),
        "routing: {default_strategy: priority, hedge: {after: 20, max: 1}}");
    for (String request : row.texts().subList(0, 40)) {
      assertThat(post(request).result()).isIn("0x1", "0x2");
    }
    List<AttemptOutcome> outcomes =
        gateway.observed.of("u1").stream().map(attempt -> attempt.outcome()).toList();
    assertThat(outcomes).hasSize(40).noneMatch(AttemptOutcome.Failure.class::isInstance);
    long cancelled = outcomes.stream().filter(AttemptOutcome.Cancelled.class::isInstance).count();
    assertThat(cancelled).isBetween(1L, 5L);
    assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
    assertThat(gateway.inFlight("u1")).isZero();
  }

  @Test
  void f026AnEmptyResultIsAResult() throws Exception {
    FaultCase row = FaultCase.of("F026");
    ScriptedProvider u1 = provider(ScriptedProvider.byRules(row.rules("U1")));
    ScriptedProvider u2 = provider(ScriptedProvider.byRules(row.rules("U2")));
    gateway.serving(TestGateway.providers(u1, u2));
    assertThat(post(row.request(0)).result()).isEqualTo(new JsonArray());
    assertThat(post(row.request(1)).result()).isEqualTo("0x");
    assertThat(post(row.request(2)).result()).isEqualTo("0x0");
    assertThat(u1.calls()).hasSize(3);
    assertThat(u2.calls()).isEmpty();
  }

  @Test
  void f027AMethodMissingAtOneProviderIsServedByAnother() throws Exception {
    FaultCase row = FaultCase.of("F027").asking(READ);
    List<ScriptedProvider.Behaviour> refusals =
        List.of(
            call -> call.error(-32601, "the method trace_block does not exist/is not available"),
            call -> call.respond(405, "method not allowed"),
            call -> call.error(-32004, "not supported"));
    for (ScriptedProvider.Behaviour refusal : refusals) {
      ScriptedProvider u1 =
          provider(
              call -> {
                if (call.method().equals("trace_block")) {
                  refusal.answer(call);
                } else {
                  call.result("\"0x1\"");
                }
              });
      ScriptedProvider u2 = provider(ScriptedProvider.byRules(row.rules("U2")));
      gateway.serving(TestGateway.providers(u1, u2));
      for (String request : row.texts().subList(0, 3)) {
        assertThat(post(request).result()).isEqualTo(new JsonArray());
      }
      for (String request : row.texts().subList(3, 13)) {
        assertThat(post(request).result()).isEqualTo("0x1");
      }
      assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
      assertThat(u2.calls(READ)).isZero();
    }
  }

  @Test
  void f028ALateAnswerReachesNobody() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              if (call.method().equals("eth_blockNumber")) {
                call.after(1_300, () -> call.result("\"SLOW\""));
              } else {
                call.result("\"FAST\"");
              }
            });
    gateway.serving(TestGateway.providers(u1));
    for (int round = 0; round < 2; round++) {
      List<CompletableFuture<Reply>> slow = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        slow.add(gateway.send("/rpc/ethereum", TestGateway.call("eth_blockNumber", "[]")));
      }
      for (CompletableFuture<Reply> reply : slow) {
        assertThat(reply.get(30, TimeUnit.SECONDS).status()).isEqualTo(503);
      }
      for (int i = 0; i < 25; i++) {
        assertThat(gateway.ask(READ, "[]").result()).isEqualTo("FAST");
      }
    }
  }

  @Test
  void f029AClientsLimitIsExact() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.byRules(FaultCase.of("F029").rules("U1")));
    gateway.serving("rps_limit: 1\nburst_limit: 20\n", TestGateway.providers(u1), "");
    List<Reply> replies = gateway.postAll(FaultCase.of("F029").texts());
    long passed = replies.stream().filter(reply -> reply.status() == 200).count();
    assertThat(passed).isBetween(20L, 24L);
    Reply limited =
        replies.stream().filter(reply -> reply.status() == 429).findFirst().orElseThrow();
    assertThat(limited.header("Retry-After")).isNotEmpty();
    assertThat(limited.error().getJsonObject("data").getLong("retry_after_ms")).isPositive();
    assertThat(
            gateway
                .post("/rpc/ethereum", TestGateway.call("eth_call", "[{}]"), "X-Api-Key", "other")
                .status())
        .isEqualTo(200);
  }

  @Test
  void f031ARepeatedProviderIdIsRefusedByName() {
    LoadResult result =
        new ProfileFiles(_ -> null, ProfileFiles.Variables.MUST_BE_SET)
            .parse(
                Path.of("twice.yml"),
                """
                name: Twice
                slug: twice
                chains:
                  ethereum:
                    chain_id: 1
                    providers:
                      - {id: p1, url: "https://a.example"}
                      - {id: p1, url: "https://b.example"}
                """);
    assertThat(result).isInstanceOf(LoadResult.Invalid.class);
    assertThat(result.findings().toString()).contains("p1");
  }

  @Test
  void f032OneAbsurdHeightShutsNobodyOut() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x3e8\""));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x3e8\""));
    ScriptedProvider u3 = provider(ScriptedProvider.result("\"0x3e9\""));
    gateway.serving(TestGateway.providers(u1, u2, u3));
    // the fold quarantines the liar (HeadsTest): the agreed height stays where two have been
    gateway.atHeights(1_000L, Map.of("u1", 1_000L, "u2", 1_000L, "u3", 9_999_999L));
    for (int i = 0; i < 20; i++) {
      assertThat(gateway.ask("eth_blockNumber", "[]").result()).isEqualTo("0x3e8");
    }
    assertThat(u1.calls()).hasSize(20);
    assertThat(gateway.observed.decisions).allMatch(decision -> decision.rejections().isEmpty());
  }

  @Test
  void f033AFreshNodeThatSaysItIsNotSyncingGetsNoTraffic() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("\"0x5\""));
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x64\""));
    gateway.serving(TestGateway.providers(u1, u2));
    gateway.atHeights(Map.of("u1", 5L, "u2", 1_000L));
    for (int i = 0; i < 20; i++) {
      assertThat(gateway.ask("eth_getBalance", "[\"0x1\",\"latest\"]").result()).isEqualTo("0x64");
    }
    assertThat(u1.calls()).isEmpty();
  }

  @Test
  void f034ABlockThatWasAnnouncedIsServed() throws Exception {
    AtomicReference<String> head = new AtomicReference<>("0x64");
    ScriptedProvider u1 =
        provider(
            call -> {
              switch (call.method()) {
                case "eth_blockNumber" -> call.result("\"" + head.get() + "\"");
                case "eth_getLogs" -> call.result("[{\"logIndex\":\"0x0\"}]");
                default -> call.result("{\"number\":\"" + head.get() + "\"}");
              }
            });
    ScriptedProvider u2 =
        provider(
            call -> {
              switch (call.method()) {
                case "eth_blockNumber" -> call.result("\"0x63\"");
                case "eth_getLogs" -> call.result("[]");
                default -> call.result("null");
              }
            });
    gateway.serving(
        TestGateway.providers(u1, u2),
        "routing: {default_strategy: load_balanced, hedge: {max: 0}}");
    gateway.atHeights(Map.of("u1", 99L, "u2", 99L));
    for (int i = 0; i < 30; i++) {
      String told = (String) gateway.ask("eth_blockNumber", "[]").result();
      if (told.equals("0x64")) {
        Reply block = gateway.ask("eth_getBlockByNumber", "[\"" + told + "\",false]");
        assertThat(block.json().getJsonObject("result")).isNotNull();
        Reply logs =
            gateway.ask(
                "eth_getLogs", "[{\"fromBlock\":\"" + told + "\",\"toBlock\":\"" + told + "\"}]");
        assertThat(logs.json().getJsonArray("result")).hasSize(1);
      }
    }
    assertThat(u2.calls("eth_getLogs")).isZero();
  }

  @Test
  void f035OddBlockParametersAreTheProvidersToJudge() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              if (call.text().contains("\"0x01\"") || call.text().contains("\"0x\"")) {
                call.error(-32602, "invalid argument 1: hex number with leading zero digits");
              } else {
                call.result("\"0x1\"");
              }
            });
    gateway.serving(TestGateway.providers(u1));
    for (String request : FaultCase.of("F035").texts()) {
      Reply reply = post(request);
      assertThat(reply.status()).as(request).isEqualTo(200);
      String params = request.substring(request.indexOf("\"params\":"));
      assertThat(u1.calls().getLast().text()).contains(params);
    }
  }

  @Test
  void f036RangeLimitsCountTagsAndPassBlockHashes() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.result("[]"));
    gateway.serving(Map.of("u1", u1.url() + " capabilities: {limits: {max_block_range: 1000}}"));
    gateway.atHeights(Map.of("u1", 5_000L));
    FaultCase row = FaultCase.of("F036");
    Reply refused = post(row.request(0));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.error().getJsonObject("data").getJsonArray("rejected").encode())
        .contains("CAPABILITY");
    assertThat(u1.calls()).isEmpty();
    assertThat(post(row.request(1)).result()).isEqualTo(new JsonArray());
    assertThat(post(row.request(2)).result()).isEqualTo(new JsonArray());
  }
}
