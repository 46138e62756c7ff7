package dev.lasso.runtime;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/**
 * What an operator asks a process: {@code /health/live}, {@code /health/ready}, {@code /metrics}.
 * Usable on any server; runs on the event loop of the request, only the scrape goes to a worker
 * thread.
 */
public final class AdminRoutes {
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  private final Readiness readiness;
  private final ProcessMetrics metrics;

  /** Routes over what the process knows of itself. */
  public AdminRoutes(Readiness readiness, ProcessMetrics metrics) {
    this.readiness = readiness;
    this.metrics = metrics;
  }

  /**
   * Answers the request if it is for one of the routes.
   *
   * @return false when it is for somebody else; the request is untouched then
   */
  public boolean handle(HttpServerRequest request) {
    String path = request.path();
    if (path == null) {
      return false;
    }
    switch (path) {
      case "/health/live" -> answer(request, () -> live(request.response()));
      case "/health/ready" -> answer(request, () -> ready(request.response()));
      case "/metrics" -> answer(request, () -> scrape(request.response()));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void answer(HttpServerRequest request, Runnable route) {
    if (READING.contains(request.method())) {
      route.run();
    } else {
      request.response().setStatusCode(405).putHeader("Allow", "GET, HEAD").end();
    }
  }

  private static void live(HttpServerResponse response) {
    json(response, 200, new JsonObject().put("status", "live"));
  }

  private void ready(HttpServerResponse response) {
    Readiness.Report report = readiness.report();
    int status =
        switch (report.state()) {
          case READY, DEGRADED -> 200;
          case NOT_READY -> 503;
        };
    json(response, status, report.toJson());
  }

  private void scrape(HttpServerResponse response) {
    Context context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("requests are handled on a Vert.x context");
    }
    context
        .<String>executeBlocking(metrics::scrape)
        .onSuccess(text -> response.putHeader("Content-Type", PROMETHEUS_TEXT).end(text))
        .onFailure(_ -> response.setStatusCode(500).end());
  }

  private static void json(HttpServerResponse response, int status, JsonObject body) {
    response
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.encode());
  }
}
