package dev.lasso.simulator;

import dev.lasso.simulator.fault.Fault;
import dev.lasso.simulator.fault.Fault.Malformed;
import dev.lasso.simulator.fault.Transport;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One HTTP request to a provider, from its body to the last byte of the response, faults acted out.
 * Lives on the event loop of its connection.
 */
final class HttpSession {

  static final String HTML =
      "<html><head><title>Simulated gateway</title></head><body>error</body></html>";

  private static final int PIECE = 64 * 1024;
  private static final int SLOW_TICK_MILLIS = 100;

  private final Vertx vertx;
  private final SimProvider provider;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private boolean finished;
  private int calls;

  HttpSession(Vertx vertx, SimProvider provider, HttpServerRequest request) {
    this.vertx = vertx;
    this.provider = provider;
    this.request = request;
    this.response = request.response();
  }

  void received(Buffer body) {
    Map<String, String> headers = SimProvider.headers(request.headers());
    RpcExchange exchange =
        RpcExchange.run(
            body.getBytes(),
            (method, params, id) -> {
              provider.record(
                  Transport.HTTP, SimProvider.path(request), headers, method, params, id);
              return provider.answer(method, params, Transport.HTTP);
            });
    calls = exchange.calls();
    provider.traffic().inFlight.addAndGet(calls);
    response.closeHandler(_ -> finish());
    response.exceptionHandler(_ -> finish());
    response.endHandler(_ -> finish());
    long wait = provider.latencyMillis() + exchange.delay().toMillis();
    if (wait > 0) {
      vertx.setTimer(wait, _ -> respond(exchange));
    } else {
      respond(exchange);
    }
  }

  private void finish() {
    if (!finished) {
      finished = true;
      provider.traffic().inFlight.addAndGet(-calls);
    }
  }

  private void respond(RpcExchange exchange) {
    if (response.closed()) {
      finish();
      return;
    }
    Fault.OnTransport disruption = exchange.disruption();
    if (disruption == null) {
      send(exchange);
      return;
    }
    switch (disruption) {
      case Fault.Hang _ -> {}
      case Fault.Reset reset -> Wire.reset(request.connection());
      case Fault.Http(int status, Map<String, String> headers, String body) -> {
        headers.forEach(response::putHeader);
        response.setStatusCode(status).end(body == null ? HTML : body);
      }
      case Fault.RateLimited limited -> rateLimit(limited, exchange);
      case Fault.Malformed(Malformed.Kind kind) -> sendMalformed(kind, exchange);
      case Fault.Truncated _ -> {
        ReplyBody body = exchange.body();
        json().putHeader("Content-Length", Long.toString(body.size()));
        byte[] first = body.next(Math.clamp(body.size() / 2, 1, PIECE));
        if (first != null) {
          response.write(Buffer.buffer(first)).onComplete(_ -> Wire.cut(request.connection()));
        }
      }
      case Fault.SlowBody(long bytesPerSecond) -> trickle(exchange.body(), bytesPerSecond);
      case Fault.WrongId _ -> send(exchange);
    }
  }

  private HttpServerResponse json() {
    return response.putHeader("Content-Type", "application/json");
  }

  private void send(RpcExchange exchange) {
    if (exchange.isSilent()) {
      response.end();
      return;
    }
    ReplyBody body = exchange.body();
    if (!body.isBulk()) {
      json().end(Buffer.buffer(body.rest()));
      return;
    }
    json().putHeader("Content-Length", Long.toString(body.size()));
    pump(body);
  }

  /** Writes while the socket takes it, and goes on when it drains. */
  private void pump(ReplyBody body) {
    while (!response.closed()) {
      byte[] piece = body.next(PIECE);
      if (piece == null) {
        response.end();
        return;
      }
      response.write(Buffer.buffer(piece));
      if (response.writeQueueFull()) {
        response.drainHandler(_ -> pump(body));
        return;
      }
    }
  }

  private void trickle(ReplyBody body, long bytesPerSecond) {
    json().putHeader("Content-Length", Long.toString(body.size()));
    Trickle rate = new Trickle(bytesPerSecond, SLOW_TICK_MILLIS);
    vertx.setPeriodic(
        SLOW_TICK_MILLIS,
        timer -> {
          int allowed = rate.tick();
          if (response.closed()) {
            vertx.cancelTimer(timer);
          } else if (allowed > 0) {
            byte[] piece = body.next(allowed);
            if (piece == null) {
              vertx.cancelTimer(timer);
              response.end();
            } else {
              response.write(Buffer.buffer(piece));
            }
          }
        });
  }

  private void rateLimit(Fault.RateLimited fault, RpcExchange exchange) {
    byte[] body = exchange.failedBody(RateLimitReply.error(fault)).rest();
    if (fault.form() != Fault.RateLimited.Form.RPC) {
      response.setStatusCode(429);
      RateLimitReply.headers(fault, provider.clock().millis()).forEach(response::putHeader);
    }
    json().end(Buffer.buffer(body));
  }

  private void sendMalformed(Malformed.Kind kind, RpcExchange exchange) {
    switch (kind) {
      case JSON -> json().end(Buffer.buffer(half(exchange)));
      case HTML -> response.putHeader("Content-Type", "text/html").end(HTML);
      case EMPTY -> json().end();
      case OBJECT -> json().end("{\"status\":\"ok\"}");
    }
  }

  /** The first half of a response, complete as a message and broken as JSON. */
  static byte[] half(RpcExchange exchange) {
    ReplyBody body = exchange.body();
    byte[] half = body.next(Math.clamp(body.size() / 2, 1, PIECE));
    return half == null ? "{".getBytes(StandardCharsets.UTF_8) : half;
  }
}
