package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.pipeline.EngineScene.Caller;
import dev.lasso.engine.upstream.TransportFault;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class MetadataTest {
  private static final Vertx VERTX = Vertx.vertx();

  @AfterAll
  static void close() {
    VERTX.close();
  }

  private static Caller servedByTheSecond() {
    EngineScene scene = new EngineScene(VERTX, "a", "b");
    Caller caller = scene.call("eth_gasPrice", "[]");
    scene.at("a").fails(TransportFault.CLOSED, true);
    scene.at("b").result("\"0x7\"");
    return caller;
  }

  @Test
  void headersNameChainProfileProviderAndAttempts() {
    Map<String, String> headers = new TreeMap<>();
    Metadata.headers(servedByTheSecond().info(), headers::put);
    assertThat(headers)
        .containsEntry("X-Lasso-Chain", "ethereum")
        .containsEntry("X-Lasso-Profile", "default")
        .containsEntry("X-Lasso-Strategy", "priority")
        .containsEntry("X-Lasso-Candidates", "2")
        .containsEntry("X-Lasso-Provider", "b")
        .containsEntry("X-Lasso-Transport", "http")
        .containsEntry("X-Lasso-Circuit", "closed")
        .containsEntry("X-Lasso-Attempts", "2")
        .containsEntry("X-Lasso-Retries", "1")
        .containsEntry("X-Lasso-Degraded", "false");
    assertThat(headers.get("X-Lasso-Upstream-Ms")).matches("\\d+\\.\\d{3}");
  }

  @Test
  void theBodySaysTheSameAndNamesTheFault() {
    JsonObject body = Metadata.body(servedByTheSecond().info());
    assertThat(body.getString("provider")).isEqualTo("b");
    assertThat(body.getInteger("retries")).isEqualTo(1);
    JsonObject first = body.getJsonArray("attempts").getJsonObject(0);
    assertThat(first.getString("provider")).isEqualTo("a");
    assertThat(first.getString("error")).isEqualTo("network_error");
    assertThat(body.getJsonArray("attempts").getJsonObject(1).containsKey("error")).isFalse();
  }

  @Test
  void anAnswerOfOurOwnNamesNoProvider() {
    EngineScene scene = new EngineScene(VERTX, "a");
    JsonObject body = Metadata.body(scene.call("eth_chainId", "[]").info());
    assertThat(body.containsKey("provider")).isFalse();
    assertThat(body.getJsonArray("attempts")).isEmpty();
  }

  @Test
  void theAnswersBytesStayAsTheyAre() {
    Caller caller = servedByTheSecond();
    Buffer answer = Buffer.buffer("{\"jsonrpc\":\"2.0\",\"id\":1.50,\"result\":1E2}");
    String explained = Metadata.into(answer, caller.info()).toString();
    assertThat(explained)
        .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1.50,\"result\":1E2,\"lasso_meta\":{")
        .endsWith("}}");
    assertThat(new JsonObject(explained).getJsonObject("lasso_meta"))
        .isEqualTo(new JsonObject(Metadata.body(caller.info()).encode()));
    assertThat(answer).hasToString("{\"jsonrpc\":\"2.0\",\"id\":1.50,\"result\":1E2}");
  }
}
