package dev.lasso.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** Whole answers to HTTP requests. */
final class HttpAnswers {
  static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  private HttpAnswers() {}

  /** A JSON body; nothing happens when the caller is gone already. */
  static void json(HttpServerRequest request, int status, JsonObject body) {
    json(request, status, body.toBuffer());
  }

  /** As {@link #json(HttpServerRequest, int, JsonObject)}, already written. */
  static void json(HttpServerRequest request, int status, Buffer body) {
    if (request.response().ended() || request.response().closed()) {
      return;
    }
    request.response().setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON);
    if (request.method().equals(HttpMethod.HEAD)) {
      request
          .response()
          .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
          .end();
    } else {
      request.response().end(body);
    }
  }
}
