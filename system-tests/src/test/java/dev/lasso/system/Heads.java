package dev.lasso.system;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A WebSocket client that follows the heads of a chain. */
final class Heads implements WebSocket.Listener, AutoCloseable {
  private static final String SUBSCRIBE =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_subscribe\",\"params\":[\"newHeads\"]}";

  private final AtomicLong count = new AtomicLong();
  private final StringBuilder text = new StringBuilder();
  private @Nullable WebSocket socket;
  private volatile boolean ended;

  private Heads() {}

  /** Subscribes at {@code ws://host:port/path}. */
  static Heads follow(String url) {
    Heads heads = new Heads();
    WebSocket socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(url), heads).join();
    heads.socket = socket;
    socket.sendText(SUBSCRIBE, true).join();
    return heads;
  }

  /** How many heads have come. */
  long count() {
    return count.get();
  }

  /** Whether none will come any more: refused, or the socket is gone. */
  boolean ended() {
    return ended;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
    ended = true;
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    ended = true;
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      JsonObject message = new JsonObject(text.toString());
      if ("eth_subscription".equals(message.getString("method"))) {
        count.incrementAndGet();
      } else if (message.containsKey("error")) {
        ended = true;
      }
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public void close() {
    if (socket != null) {
      socket.abort();
    }
  }
}
