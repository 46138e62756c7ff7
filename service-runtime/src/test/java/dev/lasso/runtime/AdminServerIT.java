package dev.lasso.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.testkit.ManualClock;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminServerIT {
  private final Readiness readiness = new Readiness();
  private final ProcessMetrics metrics =
      ProcessMetrics.of(ProcessId.starting("health", "eu", new ManualClock()));
  private final HttpClient client = HttpClient.newHttpClient();
  private Vertx vertx;
  private AdminServer server;

  @BeforeEach
  void listen() throws Exception {
    vertx = Vertx.vertx();
    server =
        AdminServer.listen(vertx, "127.0.0.1", 0, new AdminRoutes(readiness, metrics))
            .await(30, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    vertx.close().await(30, TimeUnit.SECONDS);
    metrics.close();
  }

  @Test
  void aLiveProcessSaysSoEvenWhenNotReady() throws Exception {
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void degradedIsReadyWithReasons() throws Exception {
    readiness.add("views", () -> Condition.degraded("Kafka is away"));

    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(new JsonObject(answer.body()).getJsonArray("reasons"))
        .containsExactly("views: Kafka is away");
  }

  @Test
  void metricsAreScrapedAsPrometheusText() throws Exception {
    HttpResponse<String> answer = get("/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/plain; version=0.0.4");
    assertThat(answer.body()).contains("jvm_memory_used_bytes{");
  }

  @Test
  void headIsAnsweredWithoutABody() throws Exception {
    HttpResponse<String> answer = send(request("/health/live").HEAD());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void nothingElseIsServed() throws Exception {
    assertThat(get("/rpc/ethereum").statusCode()).isEqualTo(404);
    assertThat(send(request("/health/live").POST(HttpRequest.BodyPublishers.noBody())).statusCode())
        .isEqualTo(405);
  }

  @Test
  void aTakenPortFails() {
    var second =
        AdminServer.listen(vertx, "127.0.0.1", server.port(), new AdminRoutes(readiness, metrics));

    assertThatThrownBy(() -> second.await(30, TimeUnit.SECONDS)).hasMessageContaining("in use");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .timeout(Duration.ofSeconds(30));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
