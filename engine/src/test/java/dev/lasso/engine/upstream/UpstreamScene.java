package dev.lasso.engine.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.ScanLimits;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.UpstreamUrl;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** A provider as a test writes it, and one upstream on one event loop that calls it over HTTP. */
final class UpstreamScene implements AutoCloseable {
  static final HttpSettings SMALL =
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

  final Vertx vertx = Vertx.vertx();
  final Context loop = ((VertxInternal) vertx).createEventLoopContext();
  final AtomicInteger connections = new AtomicInteger();

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }

  <T> T onLoop(java.util.concurrent.Callable<T> action) {
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

  HttpUpstream upstream(int port, String target, HttpSettings settings) {
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

  CompletableFuture<UpstreamOutcome> call(
      HttpUpstream upstream, String method, long timeoutMs, boolean replaySafe) {
    CompletableFuture<UpstreamOutcome> done = new CompletableFuture<>();
    loop.runOnContext(
        now ->
            upstream.call(
                new UpstreamRequest(RpcCall.of(method, "[]"), timeoutMs, replaySafe),
                done::complete));
    return done;
  }

  UpstreamOutcome outcome(HttpUpstream upstream, String method, long timeoutMs) {
    return call(upstream, method, timeoutMs, true).orTimeout(20, TimeUnit.SECONDS).join();
  }

  int serve(BiConsumer<HttpServerRequest, JsonObject> handler) throws Exception {
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

  int serveRaw(Handler<NetSocket> handler) throws Exception {
    NetServer server = vertx.createNetServer().connectHandler(handler);
    return server
        .listen(0, "localhost")
        .toCompletionStage()
        .toCompletableFuture()
        .get()
        .actualPort();
  }

  static void answer(HttpServerRequest request, JsonObject call, String result) {
    request
        .response()
        .end("{\"jsonrpc\":\"2.0\",\"id\":" + call.getLong("id") + ",\"result\":" + result + "}");
  }

  static void assertResult(UpstreamOutcome outcome, String result) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            UpstreamOutcome.Result.class, r -> assertThat(r.result()).hasToString(result));
  }

  static void assertFailed(UpstreamOutcome outcome, TransportFault fault, boolean sent) {
    assertThat(outcome).isEqualTo(new UpstreamOutcome.Failed(fault, sent));
  }
}
