package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lasso demo} as somebody meets it who has just cloned the repository. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("the time to its end is judged")
class DemoSystemIT {
  private static final Duration STOP_BUDGET = Duration.ofSeconds(10);

  private LassoCommand demo;
  private Rpc rpc;
  private Path temporary = Path.of(".");

  @BeforeAll
  void start(@TempDir Path directory, @TempDir Path temporary) {
    this.temporary = temporary;
    Map<String, String> ownTemporaryFiles =
        Map.of("LASSO_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    demo =
        LassoCommand.start(
            directory, ownTemporaryFiles, "demo", "--port", "0", "--kafka-port", "0");
    rpc = new Rpc(demo.ready().http());
  }

  @AfterAll
  void endsWithinTenSecondsOfSigtermAndLeavesNothingBehind() {
    long beganNs = System.nanoTime();
    demo.terminate();
    assertThat(demo.exitCode()).isIn(0, 143);
    assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(STOP_BUDGET);
    assertThat(temporary).isEmptyDirectory();
    demo.close();
  }

  @Test
  void saysOnceThatItIsReady() {
    assertThat(demo.output())
        .containsExactly(demo.ready().line())
        .first()
        .asString()
        .matches(
            "lasso ready http=http://127.0.0.1:\\d+ ws=ws://127.0.0.1:\\d+/ws kafka=\\S+:\\d+");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rpc/ethereum",
        "/rpc/1",
        "/rpc/base",
        "/rpc/8453",
        "/rpc/fastest/ethereum",
        "/rpc/load-balanced/ethereum",
        "/rpc/latency-weighted/ethereum",
        "/rpc/provider/ethereum_fast/ethereum",
        "/rpc/profile/default/ethereum",
        "/rpc/profile/default/fastest/base",
        "/rpc/profile/default/provider/base_fast/base"
      })
  void answersUnderEveryFormOfAddress(String path) {
    JsonObject answer = rpc.result(path, Rpc.BLOCK_NUMBER);
    assertThat(answer.getInteger("id")).isEqualTo(1);
    assertThat(answer.getString("result")).startsWith("0x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rpc/nowhere",
        "/rpc/2",
        "/rpc/profile/nobody/ethereum",
        "/rpc/provider/nobody/ethereum",
        "/rpc/no-strategy/ethereum",
        "/rpc/",
        "/elsewhere",
        "/api/elsewhere",
        "/api/providers/nowhere"
      })
  void saysNotFoundForWhatIsNotThere(String path) {
    HttpResponse<String> response =
        path.startsWith("/api") ? rpc.get(path) : rpc.post(path, Rpc.BLOCK_NUMBER);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(404);
  }

  @Test
  void keepsTheCallersIdAndOrderInABatch() {
    HttpResponse<String> response =
        rpc.post(
            "/rpc/ethereum",
            "[%s,%s,{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"eth_chainId\"},7]"
                .formatted(Rpc.BLOCK_NUMBER, Rpc.BALANCE));
    assertThat(response.statusCode()).isEqualTo(200);
    JsonArray answers = new JsonArray(response.body());
    assertThat(answers).hasSize(4);
    assertThat(answers.getJsonObject(0).getInteger("id")).isEqualTo(1);
    assertThat(answers.getJsonObject(1).getString("id")).isEqualTo("b");
    assertThat(answers.getJsonObject(2).getString("result")).isEqualTo("0x1");
    assertThat(response.body()).contains("9007199254740993");
    assertThat(answers.getJsonObject(3).getJsonObject("error").getInteger("code"))
        .isEqualTo(-32600);
  }

  @Test
  void tellsHowARequestWasServed() {
    HttpResponse<String> response =
        rpc.post("/rpc/fastest/ethereum?include_meta=body", Rpc.BALANCE);
    JsonObject meta = new JsonObject(response.body()).getJsonObject("lasso_meta");
    assertThat(meta).as(response.body()).isNotNull();
    assertThat(meta.getString("strategy")).isEqualTo("fastest");
    assertThat(meta.getString("chain")).isEqualTo("ethereum");
    HttpResponse<String> headers = rpc.post("/rpc/ethereum?include_meta=headers", Rpc.BALANCE);
    assertThat(headers.headers().map().keySet())
        .anyMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("x-lasso-"));
  }

  @Test
  void letsBrowsersIn() {
    HttpResponse<String> preflight =
        rpc.send(
            "/rpc/ethereum",
            "OPTIONS",
            "Origin",
            "https://app.example",
            "Access-Control-Request-Method",
            "POST",
            "Access-Control-Request-Headers",
            "content-type");
    assertThat(preflight.statusCode()).isIn(200, 204);
    assertThat(preflight.headers().firstValue("Access-Control-Allow-Origin")).isPresent();
    assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers")).isPresent();
  }

  @Test
  void saysNoToMethodsThatHoldKeys() {
    JsonObject answer =
        new JsonObject(
            rpc.post(
                    "/rpc/ethereum",
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ETH_sendTransaction\",\"params\":[{}]}")
                .body());
    assertThat(answer.getJsonObject("error").getInteger("code")).isEqualTo(-32601);
  }

  @Test
  void keepsFiltersWithoutAProvider() {
    String filter =
        rpc.result(
                "/rpc/ethereum",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_newBlockFilter\",\"params\":[]}")
            .getString("result");
    String poll =
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"eth_getFilterChanges\",\"params\":[\"%s\"]}"
            .formatted(filter);
    JsonArray told = new JsonArray();
    Await.until(
        () -> {
          told.addAll(rpc.result("/rpc/ethereum", poll).getJsonArray("result"));
          // inside a batch as well
          JsonArray answers =
              new JsonArray(
                  rpc.post("/rpc/ethereum", "[" + poll + "," + Rpc.BLOCK_NUMBER + "]").body());
          told.addAll(answers.getJsonObject(0).getJsonArray("result"));
          assertThat(answers.getJsonObject(1).getString("result")).startsWith("0x");
          assertThat(told.size()).isGreaterThanOrEqualTo(3);
        });
    assertThat(told.stream().toList()).doesNotHaveDuplicates();
  }

  @Test
  void tellsAnOperatorHowItIs() {
    assertThat(rpc.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(rpc.get("/health/ready").statusCode()).isEqualTo(200);
    assertThat(rpc.page("/api/health").getString("version")).isNotBlank();
    assertThat(rpc.page("/api/chains").getJsonArray("chains")).hasSize(2);
    assertThat(rpc.page("/api/providers/ethereum").getJsonArray("providers")).hasSize(5);
    assertThat(rpc.get("/api/metrics/ethereum").statusCode()).isEqualTo(200);
    rpc.result("/rpc/ethereum", Rpc.BALANCE);
    Await.until(
        () -> assertThat(rpc.get("/metrics").body()).contains("lasso_upstream_attempts_total"));
  }
}
