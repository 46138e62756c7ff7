package dev.lasso.benchmarks.load;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.httpproxy.HttpProxy;

/**
 * What a Vert.x proxy that does nothing costs: the baseline of the gateway. Run as a process:
 * {@code BareProxy PORT UPSTREAM_PORT}.
 */
public final class BareProxy extends VerticleBase {
  private final int port;
  private final int upstreamPort;

  private BareProxy(int port, int upstreamPort) {
    this.port = port;
    this.upstreamPort = upstreamPort;
  }

  /** Starts it on every processor. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    int upstreamPort = Integer.parseInt(arguments[1]);
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    vertx
        .deployVerticle(
            () -> new BareProxy(port, upstreamPort), new DeploymentOptions().setInstances(2))
        .onFailure(
            failure -> {
              System.err.println(failure.getMessage());
              System.exit(1);
            });
  }

  @Override
  public Future<?> start() {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setTcpNoDelay(true), new PoolOptions().setHttp1MaxSize(256));
    HttpProxy proxy = HttpProxy.reverseProxy(client).origin(upstreamPort, "127.0.0.1");
    return vertx
        .createHttpServer(new HttpServerOptions().setTcpNoDelay(true))
        .requestHandler(proxy)
        .listen(port, "127.0.0.1");
  }
}
