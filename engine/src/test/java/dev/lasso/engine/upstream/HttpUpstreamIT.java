package dev.lasso.engine.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.ScanLimits;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.UpstreamUrl;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One provider over HTTP: what its connection does in every way an exchange can go. */
class HttpUpstreamIT {
  private static final HttpSettings SMALL =
      new HttpSettings(
          3,
          4,
          2_000,
          10_000,
          500,
          8192,
          64 << 20,
          true,
          2_000,
          60_000,
          new ScanLimits(16 << 10, 64 << 10, 1000));

  private Vertx vertx;
  private Context loop;
  private final AtomicInteger connections = new AtomicInteger();

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    loop = ((VertxInternal) vertx).createEventLoopContext();
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private <T> T onLoop(java.util.concurrent.Callable<T> action) {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.runOnContext(
        now -> {
          try {
            done.complete(action.call());
          } catch (Exception e) {
            done.completeExceptionally(e);
          }
        });
    return done.orTimeout(10, TimeUnit.SECONDS).join();
  }

  private HttpUpstream upstream(int port, String target, HttpSettings settings) {
    UpstreamUrl url = UpstreamUrl.parse(Transport.HTTP, "http://localhost:" + port + target);
    return onLoop(
        () ->
            new HttpUpstream(
                vertx,
                HttpClients.create(vertx, settings),
                url,
                Map.of("x-key", "secret"),
                settings));
  }

  private CompletableFuture<UpstreamOutcome> call(
      HttpUpstream upstream, String method, long timeoutMs, boolean replaySafe) {
    CompletableFuture<UpstreamOutcome> done = new CompletableFuture<>();
    loop.runOnContext(
        now ->
            upstream.call(
                new UpstreamRequest(RpcCall.of(method, "[]"), timeoutMs, replaySafe),
                done::complete));
    return done;
  }

  private UpstreamOutcome outcome(HttpUpstream upstream, String method, long timeoutMs) {
    return call(upstream, method, timeoutMs, true).orTimeout(20, TimeUnit.SECONDS).join();
  }

  private int serve(BiConsumer<HttpServerRequest, JsonObject> handler) throws Exception {
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions().setCompressionSupported(true))
            .connectionHandler(
                connection -> {
                  connections.incrementAndGet();
                  connection.closeHandler(ended -> connections.decrementAndGet());
                })
            .requestHandler(
                request ->
                    request.body().onSuccess(body -> handler.accept(request, body.toJsonObject())));
    return server
        .listen(0, "localhost")
        .toCompletionStage()
        .toCompletableFuture()
        .get()
        .actualPort();
  }

  private int serveRaw(Handler<NetSocket> handler) throws Exception {
    NetServer server = vertx.createNetServer().connectHandler(handler);
    return server
        .listen(0, "localhost")
        .toCompletionStage()
        .toCompletableFuture()
        .get()
        .actualPort();
  }

  private static void answer(HttpServerRequest request, JsonObject call, String result) {
    request
        .response()
        .end("{\"jsonrpc\":\"2.0\",\"id\":" + call.getLong("id") + ",\"result\":" + result + "}");
  }

  private static void assertResult(UpstreamOutcome outcome, String result) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            UpstreamOutcome.Result.class, r -> assertThat(r.result()).hasToString(result));
  }

  private static void assertFailed(UpstreamOutcome outcome, TransportFault fault, boolean sent) {
    assertThat(outcome).isEqualTo(new UpstreamOutcome.Failed(fault, sent));
  }

  @Test
  void sendsTheCallWithItsHeadersAndReadsTheResult() throws Exception {
    ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    int port =
        serve(
            (request, call) -> {
              seen.add(request.getHeader("Content-Type") + " " + request.getHeader("X-Key"));
              seen.add(request.getHeader("Accept-Encoding") + " " + request.getHeader("Host"));
              seen.add(
                  request.uri() + " " + call.getString("method") + " " + call.getValue("params"));
              answer(request, call, "\"" + "z".repeat(5000) + "\"");
            });
    HttpUpstream upstream = upstream(port, "/v1?key=1", SMALL);
    assertResult(outcome(upstream, "eth_call", 5000), "\"" + "z".repeat(5000) + "\"");
    assertThat(seen)
        .containsExactly(
            "application/json secret", "gzip localhost:" + port, "/v1?key=1 eth_call []");
  }

  @Test
  void keepsTheConnectionForTheNextCall() throws Exception {
    int port = serve((request, call) -> answer(request, call, "1"));
    HttpUpstream upstream = upstream(port, "/", SMALL);
    for (int i = 0; i < 10; i++) {
      assertResult(outcome(upstream, "m", 5000), "1");
    }
    assertThat(connections).hasValue(1);
  }

  @Test
  void readsTheBodyOfAnErrorStatusAsJsonRpcFirst() throws Exception {
    int port =
        serve(
            (request, call) -> {
              if (call.getString("method").equals("json")) {
                request
                    .response()
                    .setStatusCode(500)
                    .putHeader("Retry-After", "7")
                    .end("{\"error\":{\"code\":-32005,\"message\":\"slow down\"},\"id\":null}");
              } else {
                request.response().setStatusCode(503).end("<html>rate limited</html>");
              }
            });
    HttpUpstream upstream = upstream(port, "/", SMALL);
    assertThat(outcome(upstream, "json", 5000))
        .isInstanceOfSatisfying(
            UpstreamOutcome.Refused.class,
            refused -> {
              assertThat(refused.error().code()).isEqualTo(-32005);
              assertThat(refused.error().httpStatus()).isEqualTo(500);
              assertThat(refused.headers().get("retry-after")).isEqualTo("7");
              assertThat(refused.malformed()).isNull();
            });
    assertThat(outcome(upstream, "text", 5000))
        .isInstanceOfSatisfying(
            UpstreamOutcome.Refused.class,
            refused -> {
              assertThat(refused.error().message()).contains("rate limited");
              assertThat(refused.error().httpStatus()).isEqualTo(503);
              assertThat(refused.malformed()).isNotNull();
            });
  }

  @Test
  void followsNoRedirect() throws Exception {
    AtomicInteger elsewhere = new AtomicInteger();
    int other = serve((request, call) -> elsewhere.incrementAndGet());
    int port =
        serve(
            (request, call) ->
                request
                    .response()
                    .setStatusCode(307)
                    .putHeader("Location", "http://localhost:" + other + "/")
                    .end());
    assertThat(outcome(upstream(port, "/", SMALL), "m", 5000))
        .isInstanceOfSatisfying(
            UpstreamOutcome.Refused.class,
            refused -> assertThat(refused.error().httpStatus()).isEqualTo(307));
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void tellsConnectingFailuresFromLostAnswers() throws Exception {
    int dead = serveRaw(NetSocket::close);
    assertFailed(outcome(upstream(dead, "/", SMALL), "m", 5000), TransportFault.CLOSED, true);
    NetServer closed = vertx.createNetServer().connectHandler(socket -> {});
    int port =
        closed.listen(0, "localhost").toCompletionStage().toCompletableFuture().get().actualPort();
    closed.close().toCompletionStage().toCompletableFuture().get();
    assertFailed(outcome(upstream(port, "/", SMALL), "m", 5000), TransportFault.REFUSED, false);
  }

  @Test
  void aTruncatedAnswerIsALostOne() throws Exception {
    int port =
        serveRaw(
            socket ->
                socket.handler(
                    data ->
                        socket
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":1,\"res")
                            .onComplete(written -> socket.close())));
    assertFailed(outcome(upstream(port, "/", SMALL), "m", 5000), TransportFault.CLOSED, true);
  }

  @Test
  void garbageInsteadOfHttpIsAProtocolFault() throws Exception {
    int port = serveRaw(socket -> socket.handler(data -> socket.write("garbage\r\n\r\n\r\n")));
    assertThat(outcome(upstream(port, "/", SMALL), "m", 5000))
        .isInstanceOf(UpstreamOutcome.Failed.class);
  }

  @Test
  void placesNeverLeakAfterTimeouts() throws Exception {
    AtomicInteger hang = new AtomicInteger(1);
    int port =
        serve(
            (request, call) -> {
              if (hang.get() == 0) {
                answer(request, call, "1");
              }
            });
    HttpUpstream upstream = upstream(port, "/", SMALL);
    List<CompletableFuture<UpstreamOutcome>> calls = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      calls.add(call(upstream, "m", 300, true));
    }
    for (CompletableFuture<UpstreamOutcome> done : calls) {
      assertThat(done.orTimeout(5, TimeUnit.SECONDS).join())
          .isInstanceOfSatisfying(
              UpstreamOutcome.Failed.class,
              failed ->
                  assertThat(failed.fault()).isIn(TransportFault.TIMEOUT, TransportFault.BUSY));
    }
    hang.set(0);
    for (int i = 0; i < 20; i++) {
      assertResult(outcome(upstream, "m", 5000), "1");
    }
    assertThat(connections.get()).isLessThanOrEqualTo(SMALL.maxConnections());
  }

  @Test
  void aStaleConnectionIsReplacedSilentlyForReadsOnly() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    int port =
        serveRaw(
            socket -> {
              AtomicInteger onThis = new AtomicInteger();
              socket.handler(
                  data -> {
                    requests.incrementAndGet();
                    if (onThis.incrementAndGet() > 1) {
                      socket.close();
                      return;
                    }
                    String body = data.toString();
                    String id = body.replaceAll("(?s).*\"id\":(\\d+).*", "$1");
                    String answer = "{\"id\":" + id + ",\"result\":1}";
                    socket.write(
                        "HTTP/1.1 200 OK\r\nContent-Length: "
                            + answer.length()
                            + "\r\n\r\n"
                            + answer);
                  });
            });
    HttpUpstream upstream = upstream(port, "/", SMALL);
    assertResult(outcome(upstream, "m", 5000), "1");
    assertResult(outcome(upstream, "m", 5000), "1");
    assertThat(requests).hasValue(3);
    UpstreamOutcome transaction = call(upstream, "eth_sendRawTransaction", 5000, false).join();
    assertFailed(transaction, TransportFault.CLOSED, true);
    assertThat(requests).hasValue(4);
  }

  @Test
  void aConnectionThatTheProviderClosesWhenIdleIsNotUsedAgain() throws Exception {
    int port =
        serve(
            (request, call) -> {
              answer(request, call, "1");
              vertx.setTimer(20, closing -> request.connection().close());
            });
    HttpUpstream upstream = upstream(port, "/", SMALL);
    for (int i = 0; i < 10; i++) {
      assertResult(call(upstream, "m", 5000, false).join(), "1");
      await().atMost(Duration.ofSeconds(5)).until(() -> onLoop(upstream::connections) == 0);
    }
  }

  @Test
  void aLateAnswerReachesNoOtherCall() throws Exception {
    int port =
        serve(
            (request, call) -> {
              if (call.getString("method").equals("slow")) {
                vertx.setTimer(150, late -> answer(request, call, "\"SLOW\""));
              } else {
                answer(request, call, "\"FAST\"");
              }
            });
    HttpUpstream upstream =
        upstream(
            port,
            "/",
            new HttpSettings(
                1, 10, 2_000, 10_000, 500, 8192, 1 << 20, true, 2_000, 60_000, ScanLimits.DEFAULT));
    for (int i = 0; i < 20; i++) {
      assertFailed(outcome(upstream, "slow", 60), TransportFault.TIMEOUT, true);
      assertResult(outcome(upstream, "fast", 5000), "\"FAST\"");
    }
  }

  @Test
  void cancellingClosesTheConnection() throws Exception {
    CompletableFuture<HttpServerRequest> arrived = new CompletableFuture<>();
    int port = serve((request, call) -> arrived.complete(request));
    HttpUpstream upstream = upstream(port, "/", SMALL);
    CompletableFuture<UpstreamOutcome> done = new CompletableFuture<>();
    UpstreamCall call =
        onLoop(
            () ->
                upstream.call(
                    new UpstreamRequest(RpcCall.of("m", "[]"), 10_000, true), done::complete));
    arrived.get(5, TimeUnit.SECONDS);
    onLoop(
        () -> {
          call.cancel();
          return true;
        });
    await().atMost(Duration.ofSeconds(5)).until(() -> connections.get() == 0);
    assertThat(done).isNotDone();
  }

  @Test
  void aFullQueueRefusesAtOnce() throws Exception {
    int port = serve((request, call) -> {});
    HttpUpstream upstream = upstream(port, "/", SMALL);
    List<CompletableFuture<UpstreamOutcome>> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      calls.add(call(upstream, "m", 1_000, true));
    }
    for (CompletableFuture<UpstreamOutcome> done : calls) {
      done.join();
    }
    long busy =
        calls.stream()
            .map(CompletableFuture::join)
            .filter(new UpstreamOutcome.Failed(TransportFault.BUSY, false)::equals)
            .count();
    assertThat(busy).isGreaterThanOrEqualTo(5);
  }

  @Test
  void anOversizedAnswerIsCutOff() throws Exception {
    int port =
        serve(
            (request, call) -> {
              request.response().setChunked(true);
              request.response().write("{\"id\":1,\"error\":\"");
              request.response().end("x".repeat(200 << 10));
            });
    assertThat(outcome(upstream(port, "/", SMALL), "m", 5000))
        .isInstanceOfSatisfying(
            UpstreamOutcome.Refused.class,
            refused -> assertThat(refused.malformed()).startsWith("more than"));
  }

  @Test
  void aLargeResultFlowsAtThePaceOfItsReader() throws Exception {
    int size = 24 << 20;
    AtomicLong written = new AtomicLong();
    int port =
        serve(
            (request, call) -> {
              request.response().setChunked(true);
              request.response().write("{\"id\":" + call.getLong("id") + ",\"result\":\"");
              pump(request, size, written);
            });
    HttpSettings plain =
        new HttpSettings(
            3,
            4,
            2_000,
            10_000,
            500,
            8192,
            64 << 20,
            false,
            2_000,
            60_000,
            new ScanLimits(16 << 10, 64 << 10, 1000));
    HttpUpstream upstream = upstream(port, "/", plain);
    UpstreamOutcome outcome = outcome(upstream, "debug_traceBlockByNumber", 5000);
    assertThat(outcome).isInstanceOf(UpstreamOutcome.Streaming.class);
    ResultStream stream = ((UpstreamOutcome.Streaming) outcome).stream();
    // nothing is read before the reader starts: the writer gets stuck on full sockets
    await()
        .during(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(5))
        .until(() -> written.get() < size / 2);
    AtomicLong read = new AtomicLong(stream.head().size());
    CompletableFuture<String> end = new CompletableFuture<>();
    loop.runOnContext(
        now ->
            stream.start(
                new ResultStream.Reader() {
                  @Override
                  public void bytes(JsonSlice part) {
                    read.addAndGet(part.size());
                    stream.pause();
                    vertx.runOnContext(later -> stream.resume());
                  }

                  @Override
                  public void complete() {
                    end.complete("complete");
                  }

                  @Override
                  public void broken(TransportFault fault) {
                    end.complete(fault.words());
                  }
                }));
    assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo("complete");
    assertThat(read).hasValue(size + 2);
    assertThat(onLoop(upstream::connections)).isEqualTo(1);
  }

  private static void pump(HttpServerRequest request, int left, AtomicLong written) {
    int rest = left;
    while (rest > 0) {
      int part = Math.min(rest, 32 << 10);
      request.response().write(Buffer.buffer("x".repeat(part)));
      written.addAndGet(part);
      rest -= part;
      if (request.response().writeQueueFull()) {
        int after = rest;
        request.response().drainHandler(drained -> pump(request, after, written));
        return;
      }
    }
    request.response().end("\"}");
  }

  @Test
  void aStreamThatStandsStillIsBroken() throws Exception {
    int port =
        serve(
            (request, call) -> {
              request.response().setChunked(true);
              request
                  .response()
                  .write("{\"id\":" + call.getLong("id") + ",\"result\":\"" + "x".repeat(40 << 10));
            });
    HttpSettings impatient =
        new HttpSettings(
            3,
            4,
            2_000,
            10_000,
            500,
            8192,
            64 << 20,
            true,
            200,
            60_000,
            new ScanLimits(16 << 10, 64 << 10, 1000));
    HttpUpstream upstream = upstream(port, "/", impatient);
    UpstreamOutcome outcome = outcome(upstream, "m", 5000);
    ResultStream stream = ((UpstreamOutcome.Streaming) outcome).stream();
    CompletableFuture<TransportFault> end = new CompletableFuture<>();
    loop.runOnContext(
        now ->
            stream.start(
                new ResultStream.Reader() {
                  @Override
                  public void bytes(JsonSlice part) {}

                  @Override
                  public void complete() {}

                  @Override
                  public void broken(TransportFault fault) {
                    end.complete(fault);
                  }
                }));
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(TransportFault.TIMEOUT);
    assertThat(onLoop(upstream::connections)).isZero();
  }
}
