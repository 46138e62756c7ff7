package dev.lasso.gateway;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/**
 * Lets web pages of any origin call the gateway: there are no cookies to protect. Answers
 * pre-flight requests and exposes the headers that Lasso adds (Fetch standard, "CORS protocol").
 */
final class Cors {
  private static final CharSequence ANY = HttpHeaders.createOptimized("*");
  private static final CharSequence EXPOSED =
      HttpHeaders.createOptimized(
          "X-Lasso-Request-Id, X-Lasso-Chain, X-Lasso-Profile, X-Lasso-Strategy,"
              + " X-Lasso-Candidates, X-Lasso-Provider, X-Lasso-Transport, X-Lasso-Attempts,"
              + " X-Lasso-Retries, X-Lasso-Circuit, X-Lasso-Selection-Ms, X-Lasso-Upstream-Ms,"
              + " X-Lasso-Total-Ms, X-Lasso-Degraded, X-Lasso-Block, Retry-After");

  private Cors() {}

  /** Adds the headers that every answer carries. */
  static void allow(HttpServerRequest request) {
    if (request.headers().contains(HttpHeaders.ORIGIN)) {
      request
          .response()
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, ANY)
          .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
  }

  /** Answers a pre-flight or a plain OPTIONS request; false for any other. */
  static boolean preflight(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.OPTIONS)) {
      return false;
    }
    String asked = request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
    request
        .response()
        .setStatusCode(204)
        .putHeader(HttpHeaders.ALLOW, "POST, GET, HEAD, OPTIONS")
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, HEAD, OPTIONS")
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, asked == null ? "Content-Type" : asked)
        .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, "86400")
        .end();
    return true;
  }
}
