package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.TrustedProxies;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.LogCapture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WebSocket connections through the gateway's port to a service that echoes. */
class WebSocketPassIT {
  /** More than the connections that an HTTP client keeps to one server by default. */
  private static final int SOCKETS = 40;

  @RegisterExtension private final LogCapture logs = LogCapture.ofEverything();

  private final Vertx vertx = Vertx.vertx();
  private final Set<ServerWebSocket> served = ConcurrentHashMap.newKeySet();
  private final WebSocketClient clients =
      vertx.createWebSocketClient(new WebSocketClientOptions().setMaxConnections(SOCKETS));
  private int port;

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
                    })
                .listen(0, "127.0.0.1"));
    WebSocketPass pass =
        new WebSocketPass(vertx, () -> List.of("127.0.0.1:" + service.actualPort()));
    HttpServer gateway =
        await(
            vertx
                .createHttpServer(new HttpServerOptions())
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
}
