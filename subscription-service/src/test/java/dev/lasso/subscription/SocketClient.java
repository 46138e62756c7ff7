package dev.lasso.subscription;

import dev.lasso.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A WebSocket client of the tests: calls, and what it was notified of, in order. Any thread may use
 * it.
 */
final class SocketClient implements AutoCloseable {
  /** The close code of a socket that is still open. */
  static final int OPEN = 0;

  /** A connection that ended without a close frame (RFC 6455, 7.4.1). */
  private static final int ABNORMAL = 1006;

  private static final int MAX_BYTES = 64 << 20;

  final WebSocket socket;
  private final WebSocketClient client;
  private final Map<Integer, JsonObject> answers = new ConcurrentHashMap<>();
  private final List<JsonObject> messages = new CopyOnWriteArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();
  private volatile int closeCode = OPEN;

  private SocketClient(WebSocketClient client, WebSocket socket) {
    this.client = client;
    this.socket = socket;
    socket.textMessageHandler(this::message);
    // the library has no code to give while none has come
    socket.closeHandler(
        _ -> {
          Short code = socket.closeStatusCode();
          closeCode = code == null ? ABNORMAL : code;
        });
    socket.resume();
  }

  /** Connects to a port of this machine. */
  static SocketClient connect(Vertx vertx, int port, Map<String, String> headers) {
    WebSocketClient client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(10_000)
                .setMaxFrameSize(MAX_BYTES)
                .setMaxMessageSize(MAX_BYTES));
    WebSocketConnectOptions options =
        new WebSocketConnectOptions().setHost("127.0.0.1").setPort(port).setURI("/ws/rpc/ethereum");
    headers.forEach(options::addHeader);
    try {
      return new SocketClient(
          client,
          client
              .connect(options)
              .map(
                  socket -> {
                    socket.pause();
                    return socket;
                  })
              .await(10, TimeUnit.SECONDS));
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("no connection", e);
    }
  }

  static SocketClient connect(Vertx vertx, int port) {
    return connect(vertx, port, Map.of());
  }

  private void message(String text) {
    if (text.startsWith("[")) {
      messages.add(new JsonObject().put("batch", new JsonArray(text)));
      return;
    }
    JsonObject message = new JsonObject(text);
    if (message.containsKey("method")) {
      messages.add(message);
    } else if (message.getValue("id") instanceof Integer id) {
      answers.put(id, message);
    } else {
      messages.add(message);
    }
  }

  /** Calls a method and returns the whole answer. */
  JsonObject call(String method, Object... params) {
    int id = send(method, params);
    Await.await().until(() -> answers.containsKey(id));
    return Objects.requireNonNull(answers.get(id), "no answer");
  }

  /** Sends a call without waiting; returns its id. */
  int send(String method, Object... params) {
    int id = ids.incrementAndGet();
    raw(
        new JsonObject()
            .put("jsonrpc", "2.0")
            .put("id", id)
            .put("method", method)
            .put("params", new JsonArray(List.of(params)))
            .encode());
    return id;
  }

  void raw(String text) {
    var _ = socket.writeTextMessage(text);
  }

  void frame(io.vertx.core.http.WebSocketFrame frame) {
    var _ = socket.writeFrame(frame);
  }

  void ping() {
    var _ = socket.writePing(Buffer.buffer("p"));
  }

  /** With what the connection was closed; {@link #OPEN} while it is not. */
  int closeCode() {
    return closeCode;
  }

  boolean answered(int id) {
    return answers.containsKey(id);
  }

  JsonObject answer(int id) {
    return Objects.requireNonNull(answers.get(id), "no answer");
  }

  /** The result of a call that must have one. */
  Object result(String method, Object... params) {
    JsonObject answer = call(method, params);
    if (!answer.containsKey("result")) {
      throw new AssertionError(method + ": " + answer);
    }
    return answer.getValue("result");
  }

  String subscribe(Object... params) {
    return (String) result("eth_subscribe", params);
  }

  /** What came, but for answers. */
  List<JsonObject> messages() {
    return messages;
  }

  /** The values that a subscription brought so far. */
  List<JsonObject> events(String subscription) {
    return messages.stream()
        .filter(message -> "eth_subscription".equals(message.getString("method")))
        .map(message -> message.getJsonObject("params"))
        .filter(params -> subscription.equals(params.getString("subscription")))
        .map(params -> params.getJsonObject("result"))
        .toList();
  }

  @Override
  public void close() {
    var _ = socket.close();
    var _ = client.close();
  }
}
