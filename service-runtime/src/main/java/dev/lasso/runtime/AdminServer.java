package dev.lasso.runtime;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * An HTTP server with the {@link AdminRoutes} and nothing else, for roles that serve no clients.
 */
public final class AdminServer {
  private final HttpServer server;

  private AdminServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens.
   *
   * @param port 0 takes a free one, see {@link #port}
   * @return fails when the port is taken
   */
  public static Future<AdminServer> listen(Vertx vertx, String host, int port, AdminRoutes routes) {
    HttpServerOptions options =
        new HttpServerOptions().setHost(host).setPort(port).setIdleTimeout(60);
    return vertx
        .createHttpServer(options)
        .requestHandler(request -> handle(request, routes))
        .listen()
        .map(AdminServer::new);
  }

  /** The TCP port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Stops listening and closes all connections. */
  public Future<Void> close() {
    return server.close();
  }

  private static void handle(HttpServerRequest request, AdminRoutes routes) {
    if (!routes.handle(request)) {
      request.response().setStatusCode(404).end();
    }
  }
}
