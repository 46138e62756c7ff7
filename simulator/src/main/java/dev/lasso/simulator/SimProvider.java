package dev.lasso.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.fault.Fault;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.fault.Transport;
import dev.lasso.simulator.node.Answer;
import dev.lasso.simulator.node.RpcReply;
import dev.lasso.simulator.node.SimNode;
import dev.lasso.simulator.time.SimClock;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node behind a port on the loopback interface: JSON-RPC by POST on any path, WebSocket by
 * upgrade on any path, control under {@code /_sim/}. Thread-safe.
 */
public final class SimProvider {

  private static final Logger LOG = LoggerFactory.getLogger(SimProvider.class);
  private static final String HOST = "127.0.0.1";
  private static final int MAX_MESSAGE = 32 * 1024 * 1024;

  private final Vertx vertx;
  private final ProviderSpec spec;
  private final SimNode node;
  private final SimClock clock;
  private final Traffic traffic;
  private final ControlApi control;
  private final Quota quota;
  private final SplittableRandom jitter;
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();

  private int port;
  private @Nullable HttpServer server;
  private boolean started;
  private Future<Void> transition = Future.succeededFuture();

  SimProvider(
      Vertx vertx,
      ProviderSpec spec,
      SimNode node,
      SimClock clock,
      Traffic traffic,
      ControlApi control,
      long seed) {
    this.vertx = vertx;
    this.spec = spec;
    this.node = node;
    this.clock = clock;
    this.traffic = traffic;
    this.control = control;
    this.quota = new Quota(spec.requestsPerSecond(), clock);
    this.jitter = new SplittableRandom(seed);
    this.port = spec.port();
    node.faults().listen(this::faultsChanged);
  }

  /** How this provider was specified. */
  public ProviderSpec spec() {
    return spec;
  }

  /** The node behind the port. */
  public SimNode node() {
    return node;
  }

  /** The faults in force here; pin and clear at any time. */
  public FaultBoard faults() {
    return node.faults();
  }

  /** The port; 0 until started if a free one was asked for. */
  public synchronized int port() {
    return port;
  }

  /** Where JSON-RPC by HTTP is served. */
  public String httpUrl() {
    return "http://" + HOST + ":" + port();
  }

  /** Where JSON-RPC by WebSocket is served. */
  public String wsUrl() {
    return "ws://" + HOST + ":" + port() + "/ws";
  }

  /** What was counted so far. */
  public ProviderStats stats() {
    return new ProviderStats(
        traffic.requests(),
        traffic.byMethod(),
        traffic.inFlight.get(),
        connections.size(),
        traffic.webSockets.get(),
        node.subscriptionCount(),
        node.eventsDelivered(),
        faults().strikesByWord());
  }

  /** The newest calls received, oldest first. */
  public List<RecordedRequest> recordedRequests() {
    return traffic.recent();
  }

  /** Opens the port, unless a fault closes it at once. */
  synchronized Future<Void> start() {
    started = true;
    transition = transition.compose(_ -> open()).compose(_ -> settle());
    return transition;
  }

  synchronized Future<Void> stop() {
    started = false;
    node.close();
    transition = transition.transform(_ -> settle());
    return transition;
  }

  SimClock clock() {
    return clock;
  }

  Traffic traffic() {
    return traffic;
  }

  Answer answer(String method, JsonNode params, Transport transport) {
    if (!quota.take()) {
      Fault.RateLimited limited =
          new Fault.RateLimited(Fault.RateLimited.Form.SECONDS, Duration.ofSeconds(1));
      return new Answer(
          new RpcReply.Failure(-32005, "quota exceeded", null), Duration.ZERO, limited);
    }
    return node.answer(method, params, transport);
  }

  void record(
      Transport transport,
      String path,
      Map<String, String> headers,
      String method,
      JsonNode params,
      JsonNode id) {
    traffic.received(
        new RecordedRequest(clock.millis(), transport, path, headers, method, params, id));
  }

  synchronized long latencyMillis() {
    long spread = spec.jitter().toMillis();
    return spec.latency().toMillis() + (spread == 0 ? 0 : jitter.nextLong(spread + 1));
  }

  /** The path of a request; an unparsable one counts as the root. */
  static String path(HttpServerRequest request) {
    String path = request.path();
    return path == null ? "/" : path;
  }

  static Map<String, String> headers(MultiMap headers) {
    Map<String, String> copy = new TreeMap<>();
    headers.forEach((name, value) -> copy.merge(lower(name), value, (a, b) -> a + ", " + b));
    return copy;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private synchronized void faultsChanged() {
    if (started) {
      transition = transition.transform(_ -> settle());
      transition.onFailure(
          cause ->
              LOG.atError()
                  .addKeyValue("provider", spec.id())
                  .setCause(cause)
                  .log("simulated provider cannot open its port again"));
    }
  }

  /** Makes the port what it should be: open while started and no fault refuses connections. */
  private synchronized Future<Void> settle() {
    boolean wanted = started && faults().standing(Fault.Refuse.class).isEmpty();
    HttpServer current = server;
    if (wanted && current == null) {
      return open();
    }
    if (!wanted && current != null) {
      server = null;
      connections.forEach(Wire::cut);
      return current.close();
    }
    return Future.succeededFuture();
  }

  private synchronized Future<Void> open() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setMaxWebSocketMessageSize(MAX_MESSAGE)
            .setMaxWebSocketFrameSize(MAX_MESSAGE)
            .setIdleTimeout(0);
    HttpServer opening =
        vertx
            .createHttpServer(options)
            .connectionHandler(
                connection -> {
                  connections.add(connection);
                  Wire.whenClosed(connection, () -> connections.remove(connection));
                })
            .requestHandler(this::handle);
    return opening
        .listen(port, HOST)
        .map(
            listening -> {
              synchronized (this) {
                server = listening;
                port = listening.actualPort();
              }
              return null;
            });
  }

  private void handle(HttpServerRequest request) {
    request.exceptionHandler(_ -> {});
    if (path(request).startsWith(ControlApi.PREFIX)) {
      request.body().onSuccess(body -> control.handle(this, request, body));
    } else if ("websocket".equals(lower(String.valueOf(request.getHeader("Upgrade"))))) {
      upgrade(request);
    } else if (request.method().equals(HttpMethod.POST)) {
      HttpSession session = new HttpSession(vertx, this, request);
      request.body().onSuccess(session::received);
    } else {
      request.response().setStatusCode(405).putHeader("Allow", "POST").end();
    }
  }

  private void upgrade(HttpServerRequest request) {
    for (Fault.OnRequest fault : faults().strike(FaultBoard.UPGRADE, Transport.WS)) {
      if (fault instanceof Fault.OnTransport disruption && refuseUpgrade(request, disruption)) {
        return;
      }
    }
    String path = path(request);
    Map<String, String> headers = headers(request.headers());
    request
        .toWebSocket()
        .onSuccess(
            socket ->
                new WebSocketSession(vertx, this, socket, request.connection(), path, headers));
  }

  /** Acts out a fault in place of an upgrade; false if it has no meaning there. */
  private boolean refuseUpgrade(HttpServerRequest request, Fault.OnTransport disruption) {
    HttpServerResponse response = request.response();
    return switch (disruption) {
      case Fault.Hang _ -> true;
      case Fault.Reset reset -> {
        Wire.reset(request.connection());
        yield true;
      }
      case Fault.Http(int status, Map<String, String> headers, String body) -> {
        headers.forEach(response::putHeader);
        response.setStatusCode(status).end(body == null ? HttpSession.HTML : body);
        yield true;
      }
      case Fault.RateLimited limited -> {
        RateLimitReply.headers(limited, clock.millis()).forEach(response::putHeader);
        response.setStatusCode(429).end();
        yield true;
      }
      case Fault.Malformed _ -> false;
      case Fault.Truncated _ -> false;
      case Fault.WrongId _ -> false;
      case Fault.SlowBody _ -> false;
    };
  }
}
