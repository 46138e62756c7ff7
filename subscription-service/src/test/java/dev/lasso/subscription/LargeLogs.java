package dev.lasso.subscription;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * Stands before simulated providers over HTTP and gives the first log of each block the same large
 * data, otherwise passing on what they say.
 */
final class LargeLogs implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = vertx.createHttpClient();
  private final String data;

  /**
   * @param characters of the data, all of them hard to compress
   */
  LargeLogs(int characters) {
    byte[] bytes = new byte[characters / 2];
    new SplittableRandom(1).nextBytes(bytes);
    data = "0x" + HexFormat.of().formatHex(bytes);
  }

  String data() {
    return data;
  }

  /** The address to use in place of a provider's. */
  String before(String url) {
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(request -> request.body().onSuccess(body -> pass(request, url, body)))
            .listen(0, "127.0.0.1")
            .await();
    return "http://127.0.0.1:" + server.actualPort();
  }

  private void pass(HttpServerRequest request, String url, Buffer body) {
    client
        .request(new RequestOptions().setAbsoluteURI(url).setMethod(HttpMethod.POST))
        .compose(passed -> passed.putHeader("Content-Type", "application/json").send(body))
        .compose(response -> response.body())
        .map(answer -> body.toString().contains("\"eth_getLogs\"") ? enlarged(answer) : answer)
        .onComplete(
            answer -> request.response().putHeader("Content-Type", "application/json").end(answer),
            _ -> request.connection().close());
  }

  private Buffer enlarged(Buffer answer) {
    JsonObject whole = new JsonObject(answer);
    JsonArray logs = whole.getJsonArray("result");
    if (logs != null && !logs.isEmpty()) {
      logs.getJsonObject(0).put("data", data);
    }
    return whole.toBuffer();
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
