package dev.lasso.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.fault.Fault;
import dev.lasso.simulator.fault.Fault.Malformed;
import dev.lasso.simulator.fault.Transport;
import dev.lasso.simulator.node.Answer;
import dev.lasso.simulator.node.Subscriber;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * One WebSocket to a provider. Messages leave one after another, a large or slow one in fragments
 * with pings between them. Lives on the event loop of its connection, except {@link #event} and
 * {@link #dropped}, which hop onto it.
 */
final class WebSocketSession implements Subscriber {

  private static final short TRY_AGAIN_LATER = 1013;
  private static final short INTERNAL_ERROR = 1011;
  private static final int PIECE = 64 * 1024;
  private static final int SLOW_TICK_MILLIS = 100;
  private static final int MAX_QUEUED = 20_000;

  private final Vertx vertx;
  private final Context context;
  private final SimProvider provider;
  private final ServerWebSocket socket;
  private final HttpConnection connection;
  private final String path;
  private final Map<String, String> headers;
  private final Deque<Outgoing> queue = new ArrayDeque<>();
  private boolean sending;
  private int inFlight;

  private record Outgoing(ReplyBody body, long bytesPerSecond) {}

  WebSocketSession(
      Vertx vertx,
      SimProvider provider,
      ServerWebSocket socket,
      HttpConnection connection,
      String path,
      Map<String, String> headers) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.provider = provider;
    this.socket = socket;
    this.connection = connection;
    this.path = path;
    this.headers = headers;
    provider.traffic().webSockets.incrementAndGet();
    socket.textMessageHandler(text -> received(text.getBytes(StandardCharsets.UTF_8)));
    socket.binaryMessageHandler(buffer -> received(buffer.getBytes()));
    socket.exceptionHandler(_ -> {});
    socket.closeHandler(_ -> closed());
  }

  @Override
  public void event(String subscriptionId, JsonNode result) {
    String message =
        "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\""
            + subscriptionId
            + "\",\"result\":"
            + RpcExchange.text(result)
            + "}}";
    context.runOnContext(_ -> enqueue(new Outgoing(new ReplyBody().add(message), 0)));
  }

  @Override
  public void dropped(String subscriptionId, boolean closeSocket) {
    if (closeSocket) {
      context.runOnContext(_ -> socket.close(INTERNAL_ERROR, "subscription lost"));
    }
  }

  private void closed() {
    provider.node().forget(this);
    provider.traffic().webSockets.decrementAndGet();
    provider.traffic().inFlight.addAndGet(-inFlight);
    inFlight = 0;
    queue.clear();
  }

  private void received(byte[] message) {
    RpcExchange exchange =
        RpcExchange.run(
            message,
            (method, params, id) -> {
              provider.record(Transport.WS, path, headers, method, params, id);
              return answer(method, params);
            });
    inFlight += exchange.calls();
    provider.traffic().inFlight.addAndGet(exchange.calls());
    long wait = provider.latencyMillis() + exchange.delay().toMillis();
    if (wait > 0) {
      vertx.setTimer(wait, _ -> respond(exchange));
    } else {
      respond(exchange);
    }
  }

  private Answer answer(String method, JsonNode params) {
    return switch (method) {
      case "eth_subscribe" -> provider.node().subscribe(params, this);
      case "eth_unsubscribe" -> provider.node().unsubscribe(params, this);
      default -> provider.answer(method, params, Transport.WS);
    };
  }

  private void respond(RpcExchange exchange) {
    if (socket.isClosed()) {
      return;
    }
    Fault.OnTransport disruption = exchange.disruption();
    if (disruption instanceof Fault.Hang) {
      return;
    }
    inFlight -= exchange.calls();
    provider.traffic().inFlight.addAndGet(-exchange.calls());
    if (disruption == null) {
      send(exchange, 0);
      return;
    }
    switch (disruption) {
      case Fault.Hang _ -> {}
      case Fault.Reset reset -> Wire.reset(connection);
      case Fault.Http http -> socket.close(TRY_AGAIN_LATER, "HTTP " + http.status());
      case Fault.RateLimited limited ->
          enqueue(new Outgoing(exchange.failedBody(RateLimitReply.error(limited)), 0));
      case Fault.Malformed(Malformed.Kind kind) -> sendMalformed(kind, exchange);
      case Fault.Truncated _ -> {
        String half = new String(HttpSession.half(exchange), StandardCharsets.ISO_8859_1);
        socket
            .writeFrame(WebSocketFrame.textFrame(half, false))
            .onComplete(_ -> Wire.cut(connection));
      }
      case Fault.SlowBody(long bytesPerSecond) -> send(exchange, bytesPerSecond);
      case Fault.WrongId _ -> send(exchange, 0);
    }
  }

  private void sendMalformed(Malformed.Kind kind, RpcExchange exchange) {
    ReplyBody body = new ReplyBody();
    switch (kind) {
      case JSON -> body.add(HttpSession.half(exchange));
      case HTML -> body.add(HttpSession.HTML);
      case EMPTY -> {}
      case OBJECT -> body.add("{\"status\":\"ok\"}");
    }
    enqueue(new Outgoing(body, 0));
  }

  private void send(RpcExchange exchange, long bytesPerSecond) {
    if (!exchange.isSilent()) {
      enqueue(new Outgoing(exchange.body(), bytesPerSecond));
    }
  }

  private void enqueue(Outgoing message) {
    if (socket.isClosed()) {
      return;
    }
    if (queue.size() >= MAX_QUEUED) {
      socket.close(TRY_AGAIN_LATER, "client reads too slowly");
      return;
    }
    queue.addLast(message);
    if (!sending) {
      sendNext();
    }
  }

  private void sendNext() {
    sending = false;
    while (!socket.isClosed() && !queue.isEmpty()) {
      if (socket.writeQueueFull()) {
        sending = true;
        socket.drainHandler(_ -> sendNext());
        return;
      }
      Outgoing message = queue.removeFirst();
      if (message.bytesPerSecond() > 0) {
        sending = true;
        trickle(message);
        return;
      }
      if (message.body().isBulk()) {
        sending = true;
        pump(message.body(), true);
        return;
      }
      socket.writeTextMessage(new String(message.body().rest(), StandardCharsets.UTF_8));
    }
  }

  private void pump(ReplyBody body, boolean first) {
    boolean start = first;
    while (!socket.isClosed()) {
      byte[] piece = body.next(PIECE);
      fragment(piece == null ? new byte[0] : piece, start, piece == null);
      if (piece == null) {
        sendNext();
        return;
      }
      start = false;
      if (socket.writeQueueFull()) {
        socket.drainHandler(_ -> pump(body, false));
        return;
      }
    }
  }

  private void trickle(Outgoing message) {
    Trickle rate = new Trickle(message.bytesPerSecond(), SLOW_TICK_MILLIS);
    boolean[] start = {true};
    vertx.setPeriodic(
        SLOW_TICK_MILLIS,
        timer -> {
          int allowed = rate.tick();
          if (socket.isClosed()) {
            vertx.cancelTimer(timer);
            return;
          }
          if (allowed == 0) {
            return;
          }
          byte[] piece = message.body().next(allowed);
          fragment(piece == null ? new byte[0] : piece, start[0], piece == null);
          start[0] = false;
          if (piece == null) {
            vertx.cancelTimer(timer);
            sendNext();
          } else {
            socket.writePing(Buffer.buffer("between"));
          }
        });
  }

  /** Sends a fragment. Bulk and slow bodies are ASCII, so any cut falls between characters. */
  private void fragment(byte[] piece, boolean first, boolean last) {
    if (first) {
      String text = new String(piece, StandardCharsets.ISO_8859_1);
      socket.writeFrame(WebSocketFrame.textFrame(text, last));
    } else {
      socket.writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer(piece), last));
    }
  }
}
