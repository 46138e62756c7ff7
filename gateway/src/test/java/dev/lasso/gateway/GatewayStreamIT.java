package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.testkit.Await;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large answers and callers that go away. */
class GatewayStreamIT {
  private static final int PIECE = 64 << 10;

  private TestGateway gateway;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start();
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
  }

  /** Sends a string result of so many pieces, no faster than it is taken. */
  private static ScriptedProvider.Behaviour large(int pieces, AtomicLong sent) {
    Buffer piece = Buffer.buffer("0123456789abcdef".repeat(PIECE / 16));
    return call -> {
      HttpServerResponse response =
          call.http().response().setChunked(true).putHeader("Content-Encoding", "identity");
      var _ = response.write("{\"jsonrpc\":\"2.0\",\"id\":" + call.id() + ",\"result\":\"");
      pump(response, piece, pieces, sent);
    };
  }

  private static void pump(HttpServerResponse response, Buffer piece, int left, AtomicLong sent) {
    int remaining = left;
    while (remaining > 0 && !response.writeQueueFull() && !response.closed()) {
      var _ = response.write(piece);
      sent.addAndGet(piece.length());
      remaining--;
    }
    if (response.closed()) {
      return;
    }
    if (remaining == 0) {
      response.end("\"}");
    } else {
      int rest = remaining;
      response.drainHandler(_ -> pump(response, piece, rest, sent));
    }
  }

  private HttpResponse<InputStream> open(String method) throws Exception {
    return gateway
        .client()
        .send(
            HttpRequest.newBuilder(gateway.uri("/rpc/ethereum?include_meta=body"))
                .POST(HttpRequest.BodyPublishers.ofString(TestGateway.call(method, "[\"0x1\"]")))
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
  }

  @Test
  void aLargeAnswerPassesWholeAndIsHeldBackByItsReader() throws Exception {
    AtomicLong sent = new AtomicLong();
    int pieces = 96 * 16;
    ScriptedProvider u1 = ScriptedProvider.start(gateway.vertx, large(pieces, sent));
    gateway.serving(TestGateway.providers(u1));
    try (InputStream body = open("debug_traceBlockByNumber").body()) {
      // nobody reads: what flowed is what the sockets and the client's own buffers hold
      Await.await()
          .until(
              () -> {
                long before = sent.get();
                CompletableFuture.supplyAsync(
                        () -> 0,
                        CompletableFuture.delayedExecutor(
                            500, java.util.concurrent.TimeUnit.MILLISECONDS))
                    .join();
                return before > 0 && sent.get() == before;
              });
      assertThat(sent.get()).isLessThan(pieces * (long) PIECE / 2);
      byte[] buffer = new byte[PIECE];
      long bytes = 0;
      String end = "";
      for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
        bytes += read;
        end = (end + new String(buffer, 0, read, java.nio.charset.StandardCharsets.US_ASCII));
        end = end.substring(Math.max(0, end.length() - 1_000));
      }
      assertThat(bytes).isGreaterThan(pieces * (long) PIECE);
      assertThat(end).contains("\"lasso_meta\":").contains("\"provider\":\"u1\"").endsWith("}}");
    }
    Await.until(() -> assertThat(gateway.inFlight("u1")).isZero());
    assertThat(gateway.parts.limits().inFlightBytes().taken()).isZero();
  }

  @Test
  void aCallerWhoGoesAwayMidStreamEndsTheProvidersWork() throws Exception {
    AtomicLong sent = new AtomicLong();
    ScriptedProvider u1 = ScriptedProvider.start(gateway.vertx, large(1 << 20, sent));
    gateway.serving(TestGateway.providers(u1));
    InputStream body = open("debug_traceBlockByNumber").body();
    assertThat(body.read()).isPositive();
    body.close();
    Await.until(() -> assertThat(gateway.inFlight("u1")).isZero());
    Await.until(() -> assertThat(u1.unanswered()).isZero());
    assertThat(gateway.parts.limits().inFlightBytes().taken()).isZero();
    assertThat(gateway.circuit("u1")).isEqualTo(dev.lasso.routing.circuit.CircuitStatus.CLOSED);
  }

  @Test
  void aCallerWhoGoesAwayBeforeAnyAnswerEndsTheProvidersWork() throws Exception {
    ScriptedProvider u1 = ScriptedProvider.start(gateway.vertx, call -> {});
    gateway.serving(TestGateway.providers(u1));
    CompletableFuture<Reply> call =
        gateway.send("/rpc/ethereum", TestGateway.call("debug_traceBlockByNumber", "[\"0x1\"]"));
    Await.until(() -> assertThat(u1.unanswered()).isEqualTo(1));
    call.cancel(true);
    Await.until(() -> assertThat(u1.unanswered()).isZero());
    Await.until(() -> assertThat(gateway.inFlight("u1")).isZero());
    Await.until(() -> assertThat(gateway.parts.limits().inFlightBytes().taken()).isZero());
  }

  @Test
  void anAnswerThatBreaksOffIsNotTakenForAWholeOne() throws Exception {
    ScriptedProvider u1 =
        ScriptedProvider.start(
            gateway.vertx,
            call -> {
              HttpServerResponse response =
                  call.http().response().setChunked(true).putHeader("Content-Encoding", "identity");
              var _ = response.write("{\"jsonrpc\":\"2.0\",\"id\":" + call.id() + ",\"result\":\"");
              var _ = response.write("x".repeat(8 << 20));
              call.after(200, call::cut);
            });
    gateway.serving(TestGateway.providers(u1));
    HttpResponse<InputStream> response = open("debug_traceBlockByNumber");
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> response.body().readAllBytes())
        .isInstanceOf(java.io.IOException.class);
    Await.until(() -> assertThat(gateway.inFlight("u1")).isZero());
  }
}
