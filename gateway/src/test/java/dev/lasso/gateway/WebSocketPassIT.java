package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.TrustedProxies;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.LogCapture;
import dev.lasso.testkit.RawWebSocket;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.net.SocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WebSocket connections through the gateway's port to a service that echoes. */
class WebSocketPassIT {
  /** More than the connections that an HTTP client keeps to one server by default. */
  private static final int SOCKETS = 40;

  private static final int PART_BYTES = 60_000;
  private static final long FLOOD_BYTES = 2_000L * PART_BYTES;

  private final Farewell farewell = new Farewell();
  @RegisterExtension private final LogCapture logs = LogCapture.ofEverything();

  private final Vertx vertx = Vertx.vertx();
  private final Set<ServerWebSocket> served = ConcurrentHashMap.newKeySet();
  private final WebSocketClient clients =
      vertx.createWebSocketClient(new WebSocketClientOptions().setMaxConnections(SOCKETS));
  private final List<SocketAddress> gone = new CopyOnWriteArrayList<>();
  private final AtomicLong flooded = new AtomicLong();
  private int port;

  private static SocketAddress at(HttpServer server) {
    return SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1");
  }

  /** Sends far more than connections hold, as fast as it is taken. */
  private void flood(ServerWebSocket socket) {
    socket.drainHandler(_ -> flood(socket));
    while (flooded.get() < FLOOD_BYTES && !socket.writeQueueFull()) {
      flooded.addAndGet(PART_BYTES);
      var _ = socket.writeBinaryMessage(Buffer.buffer(new byte[PART_BYTES]));
    }
  }

  @BeforeEach
  void start() throws Exception {
    HttpServer service =
        await(
            vertx
                .createHttpServer()
                .webSocketHandler(
                    socket -> {
                      served.add(socket);
                      socket.closeHandler(_ -> served.remove(socket));
                      socket.textMessageHandler(socket::writeTextMessage);
                      socket.binaryMessageHandler(_ -> flood(socket));
                    })
                .listen(0, "127.0.0.1"));
    WebSocketPass pass =
        new WebSocketPass(
            vertx, () -> Stream.concat(gone.stream(), Stream.of(at(service))).toList());
    HttpServer gateway =
        await(
            vertx
                .createHttpServer(new HttpServerOptions())
                .connectionHandler(farewell::attend)
                .requestHandler(
                    request ->
                        assertThat(pass.handle(request, new Callers(TrustedProxies.parse(""))))
                            .isTrue())
                .listen(0, "127.0.0.1"));
    port = gateway.actualPort();
  }

  @AfterEach
  void stop() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not within 20 s", e);
    }
  }

  @Test
  void anyNumberOfSocketsLiveSideBySideAndEndWithoutNoise() throws Exception {
    List<WebSocket> sockets = new ArrayList<>();
    List<String> heard = new CopyOnWriteArrayList<>();
    List<String> said = new ArrayList<>();
    for (int i = 0; i < SOCKETS; i++) {
      WebSocket socket = await(clients.connect(port, "127.0.0.1", "/ws/rpc/ethereum"));
      socket.textMessageHandler(heard::add);
      sockets.add(socket);
      said.add("client " + i);
    }
    for (int i = 0; i < SOCKETS; i++) {
      await(sockets.get(i).writeTextMessage(said.get(i)));
    }
    Await.until(() -> assertThat(heard).containsExactlyInAnyOrderElementsOf(said));
    for (WebSocket socket : sockets.subList(0, SOCKETS / 2)) {
      await(socket.close());
    }
    Await.until(() -> assertThat(served).hasSize(SOCKETS / 2));
    Set.copyOf(served).forEach(ServerWebSocket::close);
    Await.until(() -> assertThat(sockets).allMatch(WebSocket::isClosed));
    logs.assertNoUnexpectedErrors();
  }

  @Test
  void aServiceThatIsGoneIsPassedOver() throws Exception {
    HttpServer ended =
        await(vertx.createHttpServer().requestHandler(_ -> {}).listen(0, "127.0.0.1"));
    gone.add(at(ended));
    await(ended.close());
    someoneAnswers();
  }

  @Test
  void aServiceThatHangsIsPassedOver() throws Exception {
    gone.add(at(await(vertx.createHttpServer().requestHandler(_ -> {}).listen(0, "127.0.0.1"))));
    someoneAnswers();
  }

  @Test
  void aServiceThatStopsOrIsFullIsPassedOver() throws Exception {
    gone.add(
        at(
            await(
                vertx
                    .createHttpServer()
                    .requestHandler(request -> request.response().setStatusCode(503).end("full"))
                    .listen(0, "127.0.0.1"))));
    someoneAnswers();
  }

  private void someoneAnswers() throws Exception {
    WebSocket socket = await(clients.connect(port, "127.0.0.1", "/ws/rpc/ethereum"));
    List<String> heard = new CopyOnWriteArrayList<>();
    socket.textMessageHandler(heard::add);
    await(socket.writeTextMessage("anybody there?"));
    Await.until(() -> assertThat(heard).containsExactly("anybody there?"));
  }

  @Test
  void aSocketThatEndedHoldsUpNoFarewell() throws Exception {
    WebSocket socket = await(clients.connect(port, "127.0.0.1", "/ws/rpc/ethereum"));
    await(socket.close());
    Await.until(() -> assertThat(served).isEmpty());
    FutureTask<Void> said =
        new FutureTask<>(
            () -> {
              farewell.say(Duration.ofDays(1));
              return null;
            });
    Thread.ofVirtual().start(said);
    said.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aClientThatIsCutOffIsNoError() throws Exception {
    try (Socket raw = RawWebSocket.ask(port, "/ws/rpc/ethereum")) {
      Await.until(() -> assertThat(served).hasSize(1));
      assertThat(raw.getInputStream().read()).isEqualTo('H');
      raw.setSoLinger(true, 0); // closing it now is a reset
    }
    Await.until(() -> assertThat(served).isEmpty());
    logs.assertNoUnexpectedErrors();
  }

  @Test
  void aClientThatReadsNothingMakesTheServiceWait() throws Exception {
    WebSocket socket = await(clients.connect(port, "127.0.0.1", "/ws/rpc/ethereum"));
    AtomicLong read = new AtomicLong();
    socket.binaryMessageHandler(part -> read.addAndGet(part.length()));
    socket.pause();
    await(socket.writeBinaryMessage(Buffer.buffer("begin")));
    ServerWebSocket service = served.iterator().next();
    Await.await().during(Duration.ofMillis(500)).until(service::writeQueueFull);
    assertThat(flooded).hasValueLessThan(FLOOD_BYTES);
    socket.resume();
    Await.until(() -> assertThat(read).hasValue(FLOOD_BYTES));
  }
}
