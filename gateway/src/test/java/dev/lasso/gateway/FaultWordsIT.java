package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.simulator.ProviderSpec;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every fault that a simulated provider can show on a request ({@code docs/simulator.md}), met by a
 * gateway with a healthy second provider and by one without.
 */
class FaultWordsIT {
  private final Simulation simulation =
      Simulation.builder()
          .chain(ChainSpec.of("one", 1).withInitialBlocks(10))
          .provider(ProviderSpec.of("u1", "one"))
          .provider(ProviderSpec.of("u2", "one"))
          .build();

  private TestGateway gateway;

  @BeforeEach
  void start() throws Exception {
    simulation.start().await();
    gateway = TestGateway.start();
    Map<String, String> providers = new LinkedHashMap<>();
    providers.put("u1", simulation.provider("u1").httpUrl());
    providers.put("u2", simulation.provider("u2").httpUrl());
    gateway.serving(providers);
  }

  @AfterEach
  void stop() {
    gateway.close();
    simulation.close();
  }

  private static final String BALANCE = "[\"0x" + "11".repeat(20) + "\",\"latest\"]";

  private RoutingDecision lastDecision(int number) {
    Await.until(() -> assertThat(gateway.observed.decisions).hasSize(number));
    return gateway.observed.decisions.get(number - 1);
  }

  private static String word(RoutingDecision.Tried attempt) {
    return switch (attempt.outcome()) {
      case AttemptOutcome.Success _ -> "success";
      case AttemptOutcome.Cancelled _ -> "cancelled";
      case AttemptOutcome.Failure failure -> failure.errorClass().word();
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hang | timeout",
        "delay:5s | timeout",
        "slowBody:5 | timeout",
        "reset | network_error",
        "refuse | network_error",
        "truncated | network_error",
        "malformed:json | malformed",
        "malformed:html | malformed",
        "malformed:empty | malformed",
        "malformed:object | malformed",
        "wrongId | malformed",
        "unsupported | method_not_found",
        "http:500 | server_error",
        "http:502 | server_error",
        "http:503 | server_error",
        "http:504 | timeout",
        "http:401 | unauthorized",
        "http:402 | quota_exceeded",
        "http:403 | unauthorized",
        "http:404 | server_error",
        "http:429 | rate_limit",
        "http:301 | server_error",
        "rateLimited:seconds | rate_limit",
        "rateLimited:date | rate_limit",
        "rateLimited:reset | rate_limit",
        "rateLimited:rpc | rate_limit",
        "rateLimited:none | rate_limit",
        "rpcError:-32603:internal error | server_error",
        "rpcError:-32000:header not found | block_not_found",
        "rpcError:-32000:missing trie node | missing_data",
      })
  void anotherProviderAnswersAndWithoutOneTheFaultIsNamed(String fault, String errorClass)
      throws Exception {
    String right = gateway.post("/rpc/provider/u2/ethereum", call()).text();
    simulation.provider("u1").faults().pin(fault);

    assertThat(gateway.post("/rpc/ethereum", call()).text()).isEqualTo(right);
    RoutingDecision decision = lastDecision(2);
    assertThat(decision.attempts())
        .extracting(FaultWordsIT::word)
        .containsExactly(errorClass, "success");

    Reply alone = gateway.post("/rpc/provider/u1/ethereum", call());
    assertThat(lastDecision(3).attempts())
        .extracting(FaultWordsIT::word)
        .containsExactly(errorClass);
    assertThat(alone.json().getInteger("id")).isEqualTo(1);
    assertThat(alone.error()).isNotNull();
    if (alone.status() == 503) {
      JsonObject attempt =
          alone.error().getJsonObject("data").getJsonArray("attempts").getJsonObject(0);
      assertThat(attempt.getString("provider")).isEqualTo("u1");
      assertThat(attempt.getString("error")).isEqualTo(errorClass);
      assertThat(attempt.getDouble("latency_ms")).isPositive();
    } else {
      // the node's own words are worth more to the caller than that nobody could serve
      assertThat(alone.status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"delay:200ms", "slowBody:400"})
  void aSlowAnswerIsAnAnswer(String fault) throws Exception {
    simulation.provider("u1").faults().pin(fault);
    assertThat(gateway.post("/rpc/ethereum", call()).status()).isEqualTo(200);
    assertThat(lastDecision(1).attempts()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"nullResult"})
  void aNullThatAnotherProviderContradictsIsNotBelieved(String fault) throws Exception {
    simulation.provider("u1").faults().pin(fault);
    Reply reply = gateway.ask("eth_getBlockByNumber", "[\"0x5\",false]");
    assertThat(reply.json().getJsonObject("result").getString("number")).isEqualTo("0x5");
  }

  private static String call() {
    return TestGateway.call("eth_getBalance", BALANCE);
  }
}
