package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.pipeline.EngineScene.Asked;
import dev.lasso.engine.pipeline.EngineScene.Caller;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The words of an answer that nobody could give. */
class ExhaustedTest {
  private static final Vertx VERTX = Vertx.vertx();

  private final EngineScene scene = new EngineScene(VERTX, "a", "b");

  @AfterAll
  static void close() {
    VERTX.close();
  }

  private static RequestOptions options(
      @Nullable Transport transport, Set<ProviderId> excluded, long minBlock) {
    return new RequestOptions(
        StrategyName.PRIORITY,
        null,
        transport,
        excluded,
        false,
        minBlock,
        null,
        RequestOptions.Metadata.NONE);
  }

  private JsonObject refused(RequestOptions options) {
    Caller caller =
        scene.send(
            EngineScene.request("1", "eth_gasPrice", "[]").getBytes(StandardCharsets.UTF_8),
            options);
    assertThat(caller.info().httpStatus()).isEqualTo(503);
    return new JsonObject(caller.answer()).getJsonObject("error");
  }

  private static Set<String> reasons(JsonObject error) {
    return error.getJsonObject("data").getJsonArray("rejected").stream()
        .map(each -> ((JsonObject) each).getString("reason"))
        .collect(java.util.stream.Collectors.toSet());
  }

  @Test
  void oneReasonForAllIsSaid() {
    JsonObject excluded =
        refused(options(null, Set.of(ProviderId.of("a"), ProviderId.of("b")), -1));
    assertThat(excluded.getString("message"))
        .isEqualTo("No provider is left that this request may use");
    assertThat(reasons(excluded)).containsExactly("EXCLUDED");
    JsonObject behind = refused(options(null, Set.of(), 1_000));
    assertThat(behind.getString("message")).isEqualTo("Every provider is behind the chain");
    assertThat(reasons(behind)).containsExactly("LAGGING");
    JsonObject away = refused(options(Transport.WS, Set.of(), -1));
    assertThat(away.getString("message")).isEqualTo("No provider is available now");
    assertThat(away.getInteger("code")).isEqualTo(-32000);
  }

  @Test
  void severalReasonsAreListed() {
    scene.call("eth_gasPrice", "[]");
    scene.at("a").error(429, "Too many requests, retry in 7s");
    scene.at("b").result("1");
    JsonObject error =
        refused(
            new RequestOptions(
                StrategyName.PRIORITY,
                null,
                null,
                Set.of(ProviderId.of("b")),
                true,
                -1,
                null,
                RequestOptions.Metadata.NONE));
    assertThat(error.getString("message")).isEqualTo("No provider can serve this request now");
    assertThat(reasons(error)).containsExactlyInAnyOrder("RATE_LIMITED", "EXCLUDED");
  }

  @Test
  void everyAttemptIsToldWithItsFault() {
    Caller caller = scene.call("eth_gasPrice", "[]");
    scene.at("a").fails(TransportFault.REFUSED, false);
    scene.at("b").status(502, "<html>bad gateway</html>");
    JsonObject error = new JsonObject(caller.answer()).getJsonObject("error");
    assertThat(error.getString("message")).isEqualTo("All providers failed");
    assertThat(error.getJsonObject("data").getJsonArray("attempts"))
        .extracting(each -> ((JsonObject) each).getString("error"))
        .containsExactly("network_error", "server_error");
    assertThat(error.getJsonObject("data").getString("request_id"))
        .isEqualTo(caller.info().requestId().value());
  }

  @Test
  void whatWasNeverSentIsOverload() {
    Caller caller = scene.call("eth_gasPrice", "[]");
    for (Asked asked = scene.next(); asked != null; asked = scene.next()) {
      asked.fails(TransportFault.BUSY, false);
    }
    assertThat(caller.answer()).contains("Overloaded: no connection to a provider became free");
  }

  @Test
  void aRateLimitSaysWhenToComeAgain() {
    Caller caller = scene.call("eth_gasPrice", "[]");
    scene.at("a").error(429, "Too many requests, retry in 7s");
    scene.at("b").error(429, "Too many requests, retry in 3s");
    assertThat(caller.info().retryAfterMs()).isBetween(2_000L, 3_000L);
  }
}
