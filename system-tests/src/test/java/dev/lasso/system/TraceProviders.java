package dev.lasso.system;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;

/** Two providers of traces: one sends as fast as it is read, one a kibibyte a second. */
final class TraceProviders implements AutoCloseable {
  private static final int KIBIBYTE = 1 << 10;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger drips = new AtomicInteger();

  /** The URL of a provider whose traces have the given size. */
  String full(long bytes) {
    Buffer piece = Buffer.buffer("0123456789abcdef".repeat(4 * KIBIBYTE));
    return listen(response -> pump(response, piece, bytes / piece.length()));
  }

  /** The URL of a provider that sends a kibibyte a second, without end. */
  String dripping() {
    Buffer piece = Buffer.buffer("0123456789abcdef".repeat(KIBIBYTE / 16));
    return listen(
        response -> {
          drips.incrementAndGet();
          long timer = vertx.setPeriodic(1, 1_000, _ -> response.write(piece));
          response.closeHandler(
              _ -> {
                vertx.cancelTimer(timer);
                drips.decrementAndGet();
              });
        });
  }

  /** Dripping answers that somebody still waits for. */
  int dripsOpen() {
    return drips.get();
  }

  private interface Result {
    void send(HttpServerResponse response);
  }

  private String listen(Result trace) {
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions())
            .requestHandler(
                request -> request.body().onSuccess(body -> answer(request, body, trace)))
            .listen(0, "127.0.0.1")
            .await();
    return "http://127.0.0.1:" + server.actualPort();
  }

  private static void answer(HttpServerRequest request, Buffer body, Result trace) {
    JsonObject call = body.toJsonObject();
    String head = "{\"jsonrpc\":\"2.0\",\"id\":" + call.getValue("id") + ",\"result\":\"";
    HttpServerResponse response = request.response().putHeader("Content-Type", "application/json");
    if (call.getString("method").startsWith("debug_")) {
      var _ = response.setChunked(true).write(head);
      trace.send(response);
    } else {
      response.end(head + "0x2a\"}");
    }
  }

  private static void pump(HttpServerResponse response, Buffer piece, long pieces) {
    long left = pieces;
    while (left > 0 && !response.writeQueueFull() && !response.closed()) {
      var _ = response.write(piece);
      left--;
    }
    long rest = left;
    if (rest == 0) {
      response.end("\"}");
    } else if (!response.closed()) {
      response.drainHandler(_ -> pump(response, piece, rest));
    }
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
