package dev.lasso.system;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A caller of one endpoint, over HTTP. Thread-safe. */
final class Rpc {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  static final String BLOCK_NUMBER =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_blockNumber\",\"params\":[]}";
  static final String BALANCE =
      "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"eth_getBalance\",\"params\":"
          + "[\"0x00000000000000000000000000000000000000aa\",\"latest\"]}";

  private final String base;

  /** A caller of {@code http://host:port}. */
  Rpc(String base) {
    this.base = base;
  }

  /** Where it calls, {@code http://host:port}. */
  String base() {
    return base;
  }

  /** POSTs a JSON body. */
  HttpResponse<String> post(String path, String body) {
    return send(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  /** POSTs a JSON body with further headers, names and values by turns. */
  HttpResponse<String> postWith(String path, String body, String... headers) {
    return send(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .headers(headers)
            .POST(BodyPublishers.ofString(body)));
  }

  /** The answer to a request that must be answered with a result. */
  JsonObject result(String path, String body) {
    HttpResponse<String> response = post(path, body);
    JsonObject answer = new JsonObject(response.body());
    if (response.statusCode() != 200 || !answer.containsKey("result")) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    return answer;
  }

  /** GETs a page. */
  HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(URI.create(base + path)).GET());
  }

  /** GETs a page that must be a JSON object. */
  JsonObject page(String path) {
    return new JsonObject(get(path).body());
  }

  /** Sends a request of any kind to a path. */
  HttpResponse<String> send(String path, String method, String... headers) {
    return send(
        HttpRequest.newBuilder(URI.create(base + path))
            .headers(headers)
            .method(method, BodyPublishers.noBody()));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted during a request", e);
    }
  }
}
