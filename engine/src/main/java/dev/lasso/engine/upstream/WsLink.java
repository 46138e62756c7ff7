package dev.lasso.engine.upstream;

import dev.lasso.routing.InstanceId;
import dev.lasso.routing.profile.UpstreamUrl;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one WebSocket to a provider open: dials, pings, and dials again after growing, jittered
 * waits. Owned by the event loop it is started on. Whatever a given-up socket still says is
 * ignored, so an old connection's end never harms the next one.
 */
final class WsLink {
  /** Hears of the link on its event loop. */
  interface Listener {
    void opened();

    void message(byte[] message);

    /**
     * The connection is gone; a new one will be tried.
     *
     * @param tooLarge because of a message that was larger than the limit
     */
    void lost(boolean tooLarge);
  }

  private static final Logger LOG = LoggerFactory.getLogger(WsLink.class);
  private static final double JITTER = 0.5;
  private static final short PROTOCOL_ERROR = 1002;

  private final Vertx vertx;
  private final WebSocketClient client;
  private final InstanceId instance;
  private final WebSocketConnectOptions target;
  private final WsSettings settings;
  private final RandomGenerator random;
  private final Listener listener;

  private @Nullable ClientWebSocket socket;
  private @Nullable Buffer partial;
  private int failures;
  private long openedAtMs;
  private boolean heard;
  private boolean tooLarge;
  private int silentPings;
  private long pingTimer = -1;
  private boolean closed;
  private volatile boolean open;

  WsLink(
      Vertx vertx,
      WebSocketClient client,
      InstanceId instance,
      UpstreamUrl url,
      Map<String, String> headers,
      WsSettings settings,
      RandomGenerator random,
      Listener listener) {
    this.vertx = vertx;
    this.client = client;
    this.instance = instance;
    this.target = target(url, headers, settings);
    this.settings = settings;
    this.random = random;
    this.listener = listener;
  }

  private static WebSocketConnectOptions target(
      UpstreamUrl url, Map<String, String> headers, WsSettings settings) {
    String host = url.host();
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    WebSocketConnectOptions options = new WebSocketConnectOptions();
    options
        .setServer(SocketAddress.inetSocketAddress(url.port(), bare))
        .setHost(host)
        .setPort(url.port())
        .setSsl(url.tls())
        .setURI(url.target())
        .setTimeout(settings.connectTimeoutMs());
    headers.forEach(options::addHeader);
    return options;
  }

  /** Whether a connection is open. Any thread. */
  boolean open() {
    return open;
  }

  /** Dials. On the owning event loop. */
  void dial() {
    if (closed) {
      return;
    }
    ClientWebSocket dialled = client.webSocket();
    socket = dialled;
    dialled.frameHandler(frame -> frame(dialled, frame));
    dialled.pongHandler(pong -> heard = true);
    dialled.exceptionHandler(cause -> troubled(dialled, cause));
    dialled.closeHandler(ended -> lost(dialled));
    dialled
        .connect(target)
        .onComplete(
            connected -> {
              if (connected.succeeded()) {
                opened(dialled);
              } else {
                lost(dialled);
              }
            });
  }

  @SuppressWarnings("ReferenceEquality") // is it this very connection?
  private boolean current(ClientWebSocket of) {
    return socket == of;
  }

  private void opened(ClientWebSocket dialled) {
    if (!current(dialled) || closed) {
      dialled.close();
      return;
    }
    open = true;
    tooLarge = false;
    openedAtMs = nowMs();
    heard = true;
    silentPings = 0;
    pingTimer = vertx.setPeriodic(settings.pingMs(), tick -> ping(dialled));
    LOG.atInfo().addKeyValue("instance", instance).log("upstream websocket connected");
    listener.opened();
  }

  /** A single frame beyond the limit never gets here; what reads frames says so and closes. */
  private void troubled(ClientWebSocket of, Throwable cause) {
    if (current(of)
        && cause instanceof CorruptedWebSocketFrameException corrupted
        && WebSocketCloseStatus.MESSAGE_TOO_BIG.equals(corrupted.closeStatus())) {
      tooLarge = true;
    }
  }

  private void ping(ClientWebSocket to) {
    if (!current(to)) {
      return;
    }
    silentPings = heard ? 0 : silentPings + 1;
    heard = false;
    if (silentPings >= 2) {
      giveUp(to);
    } else {
      to.writePing(Buffer.buffer());
    }
  }

  private void frame(ClientWebSocket from, WebSocketFrame frame) {
    if (!current(from)) {
      return;
    }
    heard = true;
    if (frame.isClose()) {
      lost(from); // nothing more will come, even if the connection stands for a while
      return;
    }
    if (!frame.isText() && !frame.isBinary() && !frame.isContinuation()) {
      return;
    }
    Buffer data = frame.binaryData();
    Buffer before = partial;
    int size = data.length() + (before == null ? 0 : before.length());
    if (size > settings.maxMessageBytes()) {
      tooLarge = true;
      giveUp(from);
      return;
    }
    Buffer joined = before == null ? data : before.appendBuffer(data);
    if (frame.isFinal()) {
      partial = null;
      listener.message(joined.getBytes());
    } else {
      partial = before == null ? data.copy() : joined;
    }
  }

  /** Sends a message; false when no connection is open or it is choked. */
  boolean send(Buffer message) {
    ClientWebSocket to = socket;
    if (to == null || !open || to.isClosed() || to.writeQueueFull()) {
      return false;
    }
    to.writeTextMessage(message.toString());
    return true;
  }

  /** Leaves a connection that talks nonsense; the next one is dialled after a wait. */
  void giveUp() {
    ClientWebSocket current = socket;
    if (current != null) {
      giveUp(current);
    }
  }

  private void giveUp(ClientWebSocket left) {
    lost(left);
    left.close(PROTOCOL_ERROR);
  }

  private void lost(ClientWebSocket gone) {
    if (!current(gone)) {
      return;
    }
    boolean wasOpen = open;
    socket = null;
    open = false;
    partial = null;
    if (pingTimer >= 0) {
      vertx.cancelTimer(pingTimer);
      pingTimer = -1;
    }
    failures = wasOpen && nowMs() - openedAtMs >= settings.stableMs() ? 1 : failures + 1;
    if (wasOpen) {
      LOG.atInfo().addKeyValue("instance", instance).log("upstream websocket lost");
      listener.lost(tooLarge);
    }
    if (!closed) {
      double spread = 1 + JITTER * (2 * random.nextDouble() - 1);
      long waitMs = Math.max((long) (settings.backoffMs(failures) * spread), 1);
      vertx.setTimer(waitMs, elapsed -> dial());
    }
  }

  /** Ends it for good. On the owning event loop. */
  void close() {
    closed = true;
    ClientWebSocket current = socket;
    if (current != null) {
      boolean connected = open;
      lost(current);
      if (connected) {
        current.close();
      }
    }
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
