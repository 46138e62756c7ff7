package dev.lasso.benchmarks.load;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;

/**
 * A provider that answers at once: the same result for everything, under the request's id. Run as a
 * process: {@code StubUpstream PORT}.
 */
public final class StubUpstream extends VerticleBase {
  private static final byte[] ID = {'"', 'i', 'd', '"', ':'};
  private static final String RESULT = "0x" + "00".repeat(96);

  private final int port;

  private StubUpstream(int port) {
    this.port = port;
  }

  /** Starts it on every processor. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    vertx
        .deployVerticle(() -> new StubUpstream(port), new DeploymentOptions().setInstances(2))
        .onFailure(
            failure -> {
              System.err.println(failure.getMessage());
              System.exit(1);
            });
  }

  @Override
  public Future<?> start() {
    return vertx
        .createHttpServer(new HttpServerOptions().setTcpNoDelay(true))
        .requestHandler(
            request ->
                request
                    .body()
                    .onSuccess(
                        body ->
                            request
                                .response()
                                .putHeader("Content-Type", "application/json")
                                .end(answer(body))))
        .listen(port, "127.0.0.1");
  }

  private static Buffer answer(Buffer body) {
    String result = body.toString().contains("eth_chainId") ? "0x1" : RESULT;
    return Buffer.buffer(256)
        .appendString("{\"jsonrpc\":\"2.0\",\"id\":")
        .appendString(id(body))
        .appendString(",\"result\":\"")
        .appendString(result)
        .appendString("\"}");
  }

  private static String id(Buffer body) {
    for (int i = 0; i + ID.length < body.length(); i++) {
      int matched = 0;
      while (matched < ID.length && body.getByte(i + matched) == ID[matched]) {
        matched++;
      }
      if (matched == ID.length) {
        int end = i + matched;
        while (end < body.length() && body.getByte(end) >= '0' && body.getByte(end) <= '9') {
          end++;
        }
        return body.getString(i + matched, end);
      }
    }
    return "null";
  }
}
