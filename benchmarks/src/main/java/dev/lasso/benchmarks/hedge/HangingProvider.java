package dev.lasso.benchmarks.hedge;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A provider whose calls take 15 to 35 ms, evenly spread, and of which a share hangs for ten
 * seconds while it is told so. It answers on one event loop; the counter may be read by any thread.
 */
final class HangingProvider {
  private static final long LEAST_MS = 15;
  private static final long SPREAD_MS = 20;
  private static final long HANG_MS = 10_000;
  private static final long BLOCK_MS = 12_000;

  private final Vertx vertx;
  private final SplittableRandom random;
  private final AtomicLong calls = new AtomicLong();
  private volatile double hanging;

  HangingProvider(Vertx vertx, long seed) {
    this.vertx = vertx;
    this.random = new SplittableRandom(seed);
  }

  /** Starts it; returns its URL. */
  String listen() {
    int port =
        vertx
            .createHttpServer()
            .requestHandler(request -> request.body().onSuccess(body -> answer(request, body)))
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();
    return "http://127.0.0.1:" + port;
  }

  /** Share of calls that hang from now on, 0 to 1. */
  void hang(double share) {
    hanging = share;
  }

  /** Calls of {@code eth_call} received. */
  long calls() {
    return calls.get();
  }

  private void answer(HttpServerRequest request, Buffer body) {
    JsonObject call = body.toJsonObject();
    String method = call.getString("method");
    String text =
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + call.getValue("id")
            + ",\"result\":"
            + result(method)
            + "}";
    Runnable reply =
        () -> {
          if (!request.response().closed()) {
            request.response().putHeader("Content-Type", "application/json").end(text);
          }
        };
    if (method.equals("eth_call")) {
      calls.incrementAndGet();
      boolean hangs = random.nextDouble() < hanging;
      long delayMs = hangs ? HANG_MS : LEAST_MS + random.nextLong(SPREAD_MS + 1);
      vertx.setTimer(delayMs, _ -> reply.run());
    } else {
      reply.run();
    }
  }

  private static String result(String method) {
    long number = System.currentTimeMillis() / BLOCK_MS;
    return switch (method) {
      case "eth_chainId" -> "\"0x1\"";
      case "eth_syncing" -> "false";
      case "eth_blockNumber" -> "\"0x" + Long.toHexString(number) + "\"";
      case "eth_getBlockByNumber" ->
          new JsonObject()
              .put("number", "0x" + Long.toHexString(number))
              .put("hash", hash(number))
              .put("parentHash", hash(number - 1))
              .put("timestamp", "0x" + Long.toHexString(number * BLOCK_MS / 1_000))
              .encode();
      default -> "\"0x" + "00".repeat(32) + "\"";
    };
  }

  private static String hash(long number) {
    return String.format("0x%064x", number);
  }
}
