package dev.lasso.simulator;

import static dev.lasso.simulator.Clients.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.chain.ChainSpec;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault word as an HTTP client meets it. */
class HttpFaultsIT {

  private static final String HEAD = call("eth_blockNumber", "[]");

  private final Clients clients = new Clients();
  private final Simulation simulation =
      Simulation.builder()
          .chain(ChainSpec.of("test", 1).withInitialBlocks(10))
          .provider(ProviderSpec.of("a", "test"))
          .mineByCommandOnly()
          .build();
  private final SimProvider provider = simulation.provider("a");

  @BeforeEach
  void start() {
    simulation.start().await();
  }

  @AfterEach
  void stop() {
    simulation.close();
  }

  private JsonNode head() throws IOException, InterruptedException {
    return clients.rpc(provider, "eth_blockNumber", "[]");
  }

  @Test
  void answersPlainlyWithoutFaults() throws Exception {
    HttpResponse<String> response = clients.post(provider, HEAD);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"0xa\"}");
    assertThat(provider.stats().requests("eth_blockNumber")).isEqualTo(1);
    assertThat(provider.recordedRequests()).hasSize(1);
  }

  @Test
  void keepsTheTextOfIds() throws Exception {
    for (String id : new String[] {"\"x\"", "null", "12345678901234567890", "1.50"}) {
      String body = HEAD.replace(":7,", ":" + id + ",");
      assertThat(clients.post(provider, body).body()).contains("\"id\":" + id + ",");
    }
  }

  @Test
  void answersBatchesInOrderWithoutNotifications() throws Exception {
    String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"eth_chainId\"}";
    String body = "[" + HEAD + "," + notification + ",3," + call("eth_chainId", "[]") + "]";

    JsonNode replies = Clients.JSON.readTree(clients.post(provider, body).body());

    assertThat(replies).hasSize(3);
    assertThat(replies.get(0).get("result").asText()).isEqualTo("0xa");
    assertThat(replies.get(1).get("error").get("code").asInt()).isEqualTo(-32600);
    assertThat(replies.get(2).get("result").asText()).isEqualTo("0x1");
  }

  @Test
  void complainsAboutWhatIsNoJsonRpc() throws Exception {
    assertThat(clients.post(provider, "{oops").body()).contains("-32700");
    assertThat(clients.post(provider, "[]").body()).contains("-32600");
    assertThat(clients.post(provider, "{}").body()).contains("-32600");
  }

  @Test
  void delayHoldsTheAnswerBack() throws Exception {
    provider.faults().pin("delay:300ms");
    long before = System.nanoTime();

    assertThat(head().has("result")).isTrue();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(299));
  }

  @Test
  void hangNeverAnswersAndCountsAsInFlight() {
    provider.faults().pin("hang count=1");

    assertThatThrownBy(() -> clients.send("POST", provider.httpUrl(), HEAD, Duration.ofMillis(500)))
        .isInstanceOf(HttpTimeoutException.class);
    await().until(() -> provider.stats().inFlight() == 0);
  }

  @Test
  void refuseClosesThePortUntilCleared() throws Exception {
    int port = provider.port();
    assertThat(head().has("result")).isTrue();
    provider.faults().pin("refuse");

    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> clients.post(provider, HEAD))
                    .isInstanceOf(ConnectException.class));
    provider.faults().clear();

    await().ignoreExceptions().until(() -> head().has("result"));
    assertThat(provider.port()).isEqualTo(port);
  }

  @Test
  void resetBreaksTheConnection() {
    provider.faults().pin("reset");

    assertThatThrownBy(() -> clients.post(provider, HEAD))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("(?i).*(reset|no bytes|EOF|broken).*");
  }

  @Test
  void httpAnswersWithStatusHeadersAndBody() throws Exception {
    provider.faults().pin("http:503:Retry-After=7:body=maintenance: back soon");

    HttpResponse<String> response = clients.post(provider, HEAD);

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).contains("7");
    assertThat(response.body()).isEqualTo("maintenance: back soon");
  }

  @Test
  void rpcErrorsComeWithStatus200() throws Exception {
    provider.faults().pin("rpcError:-32005:limit exceeded:data={\"see\":\"docs\"}");

    JsonNode error = head().get("error");

    assertThat(error.get("code").asInt()).isEqualTo(-32005);
    assertThat(error.get("message").asText()).isEqualTo("limit exceeded");
    assertThat(error.get("data").get("see").asText()).isEqualTo("docs");
  }

  @Test
  void malformedIsCompleteHttpAndNoJsonRpc() throws Exception {
    provider.faults().pin("malformed count=1");
    String cut = clients.post(provider, HEAD).body();
    assertThatThrownBy(() -> Clients.JSON.readTree(cut))
        .isInstanceOf(JsonProcessingException.class);

    provider.faults().pin("malformed:html count=1");
    assertThat(clients.post(provider, HEAD).body()).startsWith("<html>");
    provider.faults().pin("malformed:empty count=1");
    assertThat(clients.post(provider, HEAD).body()).isEmpty();
    provider.faults().pin("malformed:object count=1");
    assertThat(clients.post(provider, HEAD).body()).isEqualTo("{\"status\":\"ok\"}");
  }

  @Test
  void truncatedEndsBeforeTheAnnouncedLength() {
    provider.faults().pin("truncated");

    assertThatThrownBy(() -> clients.post(provider, HEAD))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("(?is).*(EOF|closed|fixed content-length|reset).*");
  }

  @Test
  void wrongIdStrikesSingleEntriesOfABatch() throws Exception {
    provider.faults().pin("wrongId methods=eth_chainId");

    JsonNode replies =
        Clients.JSON.readTree(
            clients.post(provider, "[" + HEAD + "," + call("eth_chainId", "[]") + "]").body());

    assertThat(replies.get(0).get("id").asInt()).isEqualTo(7);
    assertThat(replies.get(1).get("id").asText()).isEqualTo("not-7");
  }

  @Test
  void slowBodyTrickles() throws Exception {
    provider.faults().pin("slowBody:100");
    long before = System.nanoTime();

    // 40 bytes at 100 a second
    assertThat(head().get("result").asText()).isEqualTo("0xa");

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(399));
  }

  @Test
  void rateLimitsSpeakAllDialects() throws Exception {
    provider.faults().pin("rateLimited:5s count=1");
    HttpResponse<String> seconds = clients.post(provider, HEAD);
    assertThat(seconds.statusCode()).isEqualTo(429);
    assertThat(seconds.headers().firstValue("Retry-After")).contains("5");

    provider.faults().pin("rateLimited:date:60s count=1");
    String date = clients.post(provider, HEAD).headers().firstValue("Retry-After").orElseThrow();
    assertThat(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME))
        .isAfter(ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(30));

    provider.faults().pin("rateLimited:reset:60s count=1");
    assertThat(clients.post(provider, HEAD).headers().firstValue("x-ratelimit-reset")).isPresent();

    provider.faults().pin("rateLimited:rpc:2s count=1");
    HttpResponse<String> rpc = clients.post(provider, HEAD);
    assertThat(rpc.statusCode()).isEqualTo(200);
    assertThat(rpc.body()).contains("-32005").contains("\"retry_after_ms\":2000");

    provider.faults().pin("rateLimited:none count=1");
    HttpResponse<String> none = clients.post(provider, HEAD);
    assertThat(none.statusCode()).isEqualTo(429);
    assertThat(none.headers().map()).doesNotContainKey("retry-after");
  }

  @Test
  void tracesOf200MiBStreamWithoutBeingHeld() throws Exception {
    long size = 200L * 1024 * 1024;
    String frame = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":}";

    long bytes =
        clients.postAndCount(
            provider, call("debug_traceBlockByNumber", "[\"latest\",{\"simBytes\":" + size + "}]"));

    assertThat(bytes).isEqualTo(size + frame.length());
  }
}
