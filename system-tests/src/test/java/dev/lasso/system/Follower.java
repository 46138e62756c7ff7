package dev.lasso.system;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who follows heads and logs of a chain over WebSocket and, when the connection has ended,
 * goes on elsewhere where it stopped: after the last head, and from the block of the last log,
 * whose logs it forgets because they come again. Called by the test's thread; what comes is taken
 * by the connection's.
 */
final class Follower implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int HEADS = 1;
  private static final int LOGS = 2;

  private final List<Head> heads = new ArrayList<>();
  private final List<Log> logs = new ArrayList<>();
  private @Nullable Connection connection;

  private Follower() {}

  /**
   * A head as told.
   *
   * @param atNs when it came, on the clock of {@link System#nanoTime}
   */
  record Head(long number, String hash, String parentHash, long atNs) {}

  /** A log as told. */
  record Log(long block, String blockHash, long index) {}

  /** Follows at {@code ws://host:port/path} from now on. */
  static Follower start(String url) {
    Follower follower = new Follower();
    follower.connect(url, new JsonArray().add("newHeads"), logsAs(null));
    return follower;
  }

  private static JsonArray logsAs(@Nullable JsonObject resume) {
    JsonArray params = new JsonArray().add("logs");
    return resume == null ? params : params.add(new JsonObject().put("resume", resume));
  }

  /** Goes on elsewhere; fails with a {@link CompletionException} when nobody is there. */
  void moveTo(String url) {
    JsonObject afterHead;
    JsonObject fromLog;
    synchronized (this) {
      afterHead = new JsonObject().put("blockHash", heads.getLast().hash());
      long block = logs.getLast().block();
      fromLog = new JsonObject().put("fromBlock", "0x" + Long.toHexString(block));
      logs.removeIf(log -> log.block() == block);
    }
    connect(
        url,
        new JsonArray().add("newHeads").add(new JsonObject().put("resume", afterHead)),
        logsAs(fromLog));
  }

  private void connect(String url, JsonArray wantedHeads, JsonArray wantedLogs) {
    Connection opened = new Connection();
    WebSocket socket = HTTP.newWebSocketBuilder().buildAsync(URI.create(url), opened).join();
    opened.socket = socket;
    connection = opened;
    // logs first: they then begin no later than heads do
    subscribe(opened, socket, LOGS, wantedLogs);
    subscribe(opened, socket, HEADS, wantedHeads);
  }

  private void subscribe(Connection opened, WebSocket socket, int id, JsonArray params) {
    socket.sendText(call(id, "eth_subscribe", params), true).join();
    Await.until(() -> opened.requireAnswer(id));
  }

  private static String call(int id, String method, JsonArray params) {
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("id", id)
        .put("method", method)
        .put("params", params)
        .encode();
  }

  /** Asks for the chain's height over the same connection; returns when it was told. */
  void ask(int id) {
    Connection open = connection;
    if (open == null || open.socket == null) {
      throw new AssertionError("not connected");
    }
    open.socket.sendText(call(id, "eth_blockNumber", new JsonArray()), true).join();
    Await.until(() -> open.requireAnswer(id));
  }

  /** Whether the connection is there. */
  boolean connected() {
    Connection current = connection;
    return current != null && !current.ended;
  }

  /** The heads told so far. */
  synchronized List<Head> heads() {
    return List.copyOf(heads);
  }

  /** The logs told so far. */
  synchronized List<Log> logs() {
    return List.copyOf(logs);
  }

  /** The longest time without a head that ended after a moment, milliseconds. */
  synchronized long longestSilenceMs(long afterNs) {
    long longestNs = 0;
    for (int i = 1; i < heads.size(); i++) {
      if (heads.get(i).atNs() - afterNs > 0) {
        longestNs = Math.max(longestNs, heads.get(i).atNs() - heads.get(i - 1).atNs());
      }
    }
    return longestNs / 1_000_000;
  }

  private synchronized void told(boolean head, JsonObject value) {
    if (head) {
      heads.add(
          new Head(
              Long.decode(value.getString("number")),
              value.getString("hash"),
              value.getString("parentHash"),
              System.nanoTime()));
    } else {
      logs.add(
          new Log(
              Long.decode(value.getString("blockNumber")),
              value.getString("blockHash"),
              Long.decode(value.getString("logIndex"))));
    }
  }

  @Override
  public void close() {
    if (connection != null && connection.socket != null) {
      connection.socket.abort();
    }
  }

  private final class Connection implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();
    private final Map<Integer, JsonObject> answers = new HashMap<>();
    private volatile boolean ended;
    private volatile @Nullable WebSocket socket;
    private @Nullable String headsId;

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        message(new JsonObject(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    private synchronized void message(JsonObject message) {
      Integer id = message.getInteger("id");
      if (id == null) {
        JsonObject params = message.getJsonObject("params");
        told(params.getString("subscription").equals(headsId), params.getJsonObject("result"));
        return;
      }
      answers.put(id, message);
      if (id == HEADS) {
        headsId = message.getString("result");
      }
    }

    private synchronized void requireAnswer(int id) {
      JsonObject answer = answers.get(id);
      if (answer == null || !answer.containsKey("result")) {
        throw new AssertionError("answer to " + id + ": " + answer);
      }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      ended = true;
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      ended = true;
    }
  }
}
