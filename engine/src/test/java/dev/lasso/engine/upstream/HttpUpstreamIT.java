package dev.lasso.engine.upstream;

import static dev.lasso.engine.upstream.UpstreamScene.SMALL;
import static dev.lasso.engine.upstream.UpstreamScene.answer;
import static dev.lasso.engine.upstream.UpstreamScene.assertFailed;
import static dev.lasso.engine.upstream.UpstreamScene.assertResult;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.ScanLimits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One provider over HTTP: what its connection does in every way an exchange can go. */
class HttpUpstreamIT {
  private final UpstreamScene scene = new UpstreamScene();

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void sendsTheCallWithItsHeadersAndReadsTheResult() throws Exception {
    ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    int port =
        scene.serve(
            (request, call) -> {
              seen.add(request.getHeader("Content-Type") + " " + request.getHeader("X-Key"));
              seen.add(request.getHeader("Accept-Encoding") + " " + request.getHeader("Host"));
              seen.add(
                  request.uri() + " " + call.getString("method") + " " + call.getValue("params"));
              answer(request, call, "\"" + "z".repeat(5000) + "\"");
            });
    HttpUpstream upstream = scene.upstream(port, "/v1?key=1", SMALL);
    assertResult(scene.outcome(upstream, "eth_call", 5000), "\"" + "z".repeat(5000) + "\"");
    assertThat(seen)
        .containsExactly(
            "application/json secret", "gzip localhost:" + port, "/v1?key=1 eth_call []");
  }

  @Test
  void keepsTheConnectionForTheNextCall() throws Exception {
    int port = scene.serve((request, call) -> answer(request, call, "1"));
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    for (int i = 0; i < 10; i++) {
      assertResult(scene.outcome(upstream, "m", 5000), "1");
    }
    assertThat(scene.connections).hasValue(1);
  }

  @Test
  void readsTheBodyOfAnErrorStatusAsJsonRpcFirst() throws Exception {
    int port =
        scene.serve(
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
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    assertThat(scene.outcome(upstream, "json", 5000))
        .isInstanceOfSatisfying(
            UpstreamOutcome.Refused.class,
            refused -> {
              assertThat(refused.error().code()).isEqualTo(-32005);
              assertThat(refused.error().httpStatus()).isEqualTo(500);
              assertThat(refused.headers().get("retry-after")).isEqualTo("7");
              assertThat(refused.malformed()).isNull();
            });
    assertThat(scene.outcome(upstream, "text", 5000))
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
    int other = scene.serve((request, call) -> elsewhere.incrementAndGet());
    int port =
        scene.serve(
            (request, call) ->
                request
                    .response()
                    .setStatusCode(307)
                    .putHeader("Location", "http://localhost:" + other + "/")
                    .end());
    assertThat(scene.outcome(scene.upstream(port, "/", SMALL), "m", 5000))
        .isInstanceOfSatisfying(
            UpstreamOutcome.Refused.class,
            refused -> assertThat(refused.error().httpStatus()).isEqualTo(307));
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void tellsConnectingFailuresFromLostAnswers() throws Exception {
    int dead = scene.serveRaw(NetSocket::close);
    assertFailed(
        scene.outcome(scene.upstream(dead, "/", SMALL), "m", 5000), TransportFault.CLOSED, true);
    NetServer closed = scene.vertx.createNetServer().connectHandler(socket -> {});
    int port =
        closed.listen(0, "localhost").toCompletionStage().toCompletableFuture().get().actualPort();
    closed.close().toCompletionStage().toCompletableFuture().get();
    assertFailed(
        scene.outcome(scene.upstream(port, "/", SMALL), "m", 5000), TransportFault.REFUSED, false);
  }

  @Test
  void aTruncatedAnswerIsALostOne() throws Exception {
    int port =
        scene.serveRaw(
            socket ->
                socket.handler(
                    data ->
                        socket
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":1,\"res")
                            .onComplete(written -> socket.close())));
    assertFailed(
        scene.outcome(scene.upstream(port, "/", SMALL), "m", 5000), TransportFault.CLOSED, true);
  }

  @Test
  void garbageInsteadOfHttpIsAProtocolFault() throws Exception {
    int port =
        scene.serveRaw(socket -> socket.handler(data -> socket.write("garbage\r\n\r\n\r\n")));
    assertThat(scene.outcome(scene.upstream(port, "/", SMALL), "m", 5000))
        .isInstanceOf(UpstreamOutcome.Failed.class);
  }

  @Test
  void placesNeverLeakAfterTimeouts() throws Exception {
    AtomicInteger hang = new AtomicInteger(1);
    int port =
        scene.serve(
            (request, call) -> {
              if (hang.get() == 0) {
                answer(request, call, "1");
              }
            });
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    List<CompletableFuture<UpstreamOutcome>> calls = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      calls.add(scene.call(upstream, "m", 300, true));
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
      assertResult(scene.outcome(upstream, "m", 5000), "1");
    }
    assertThat(scene.connections.get()).isLessThanOrEqualTo(SMALL.maxConnections());
  }

  @Test
  void aStaleConnectionIsReplacedSilentlyForReadsOnly() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    int port =
        scene.serveRaw(
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
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    assertResult(scene.outcome(upstream, "m", 5000), "1");
    assertResult(scene.outcome(upstream, "m", 5000), "1");
    assertThat(requests).hasValue(3);
    UpstreamOutcome transaction =
        scene.call(upstream, "eth_sendRawTransaction", 5000, false).join();
    assertFailed(transaction, TransportFault.CLOSED, true);
    assertThat(requests).hasValue(4);
  }

  @Test
  void aConnectionThatTheProviderClosesWhenIdleIsNotUsedAgain() throws Exception {
    int port =
        scene.serve(
            (request, call) -> {
              answer(request, call, "1");
              scene.vertx.setTimer(20, closing -> request.connection().close());
            });
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    for (int i = 0; i < 10; i++) {
      assertResult(scene.call(upstream, "m", 5000, false).join(), "1");
      await().atMost(Duration.ofSeconds(5)).until(() -> scene.onLoop(upstream::connections) == 0);
    }
  }

  @Test
  void aLateAnswerReachesNoOtherCall() throws Exception {
    int port =
        scene.serve(
            (request, call) -> {
              if (call.getString("method").equals("slow")) {
                scene.vertx.setTimer(150, late -> answer(request, call, "\"SLOW\""));
              } else {
                answer(request, call, "\"FAST\"");
              }
            });
    HttpUpstream upstream =
        scene.upstream(
            port,
            "/",
            new HttpSettings(
                1, 10, 2_000, 10_000, 500, 8192, 1 << 20, true, 2_000, 60_000, ScanLimits.DEFAULT));
    for (int i = 0; i < 20; i++) {
      assertFailed(scene.outcome(upstream, "slow", 60), TransportFault.TIMEOUT, true);
      assertResult(scene.outcome(upstream, "fast", 5000), "\"FAST\"");
    }
  }

  @Test
  void cancellingClosesTheConnection() throws Exception {
    CompletableFuture<HttpServerRequest> arrived = new CompletableFuture<>();
    int port = scene.serve((request, call) -> arrived.complete(request));
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    CompletableFuture<UpstreamOutcome> done = new CompletableFuture<>();
    UpstreamCall call =
        scene.onLoop(
            () ->
                upstream.call(
                    new UpstreamRequest(RpcCall.of("m", "[]"), 10_000, true), done::complete));
    arrived.get(5, TimeUnit.SECONDS);
    scene.onLoop(
        () -> {
          call.cancel();
          return true;
        });
    await().atMost(Duration.ofSeconds(5)).until(() -> scene.connections.get() == 0);
    assertThat(done).isNotDone();
  }

  @Test
  void aFullQueueRefusesAtOnce() throws Exception {
    int port = scene.serve((request, call) -> {});
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    List<CompletableFuture<UpstreamOutcome>> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      calls.add(scene.call(upstream, "m", 1_000, true));
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
        scene.serve(
            (request, call) -> {
              request.response().setChunked(true);
              request.response().write("{\"id\":1,\"error\":\"");
              request.response().end("x".repeat(200 << 10));
            });
    assertThat(scene.outcome(scene.upstream(port, "/", SMALL), "m", 5000))
        .isInstanceOfSatisfying(
            UpstreamOutcome.Refused.class,
            refused -> assertThat(refused.malformed()).startsWith("more than"));
  }

  @Test
  void aLargeResultFlowsAtThePaceOfItsReader() throws Exception {
    int size = 24 << 20;
    AtomicLong written = new AtomicLong();
    int port =
        scene.serve(
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
    HttpUpstream upstream = scene.upstream(port, "/", plain);
    UpstreamOutcome outcome = scene.outcome(upstream, "debug_traceBlockByNumber", 5000);
    assertThat(outcome).isInstanceOf(UpstreamOutcome.Streaming.class);
    ResultStream stream = ((UpstreamOutcome.Streaming) outcome).stream();
    // nothing is read before the reader starts: the writer gets stuck on full sockets
    await()
        .during(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(5))
        .until(() -> written.get() < size / 2);
    AtomicLong read = new AtomicLong(stream.head().size());
    CompletableFuture<String> end = new CompletableFuture<>();
    scene.loop.runOnContext(
        now ->
            stream.start(
                new ResultStream.Reader() {
                  @Override
                  public void bytes(JsonSlice part) {
                    read.addAndGet(part.size());
                    stream.pause();
                    scene.vertx.runOnContext(later -> stream.resume());
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
    assertThat(scene.onLoop(upstream::connections)).isEqualTo(1);
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
        scene.serve(
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
    HttpUpstream upstream = scene.upstream(port, "/", impatient);
    UpstreamOutcome outcome = scene.outcome(upstream, "m", 5000);
    ResultStream stream = ((UpstreamOutcome.Streaming) outcome).stream();
    CompletableFuture<TransportFault> end = new CompletableFuture<>();
    scene.loop.runOnContext(
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
    assertThat(scene.onLoop(upstream::connections)).isZero();
  }
}
