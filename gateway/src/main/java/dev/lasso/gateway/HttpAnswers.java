package dev.lasso.gateway;

import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcFault;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whole answers to HTTP requests. */
final class HttpAnswers {
  static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  private static final Logger log = LoggerFactory.getLogger(HttpAnswers.class);

  private HttpAnswers() {}

  /** A mistake of ours: the caller is told and nothing else is disturbed. */
  static void failed(HttpServerRequest request, RuntimeException mistake) {
    log.atError().setCause(mistake).log("request failed inside the gateway");
    if (request.response().headWritten()) {
      request.connection().close();
    } else {
      json(
          request,
          500,
          Answers.error(JsonSlice.NULL, new RpcFault(RpcFault.INTERNAL_ERROR, "Internal error")));
    }
  }

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
