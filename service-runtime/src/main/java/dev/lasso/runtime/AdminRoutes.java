package dev.lasso.runtime;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.function.Consumer;

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
      case "/health/live" -> answer(request, this::live);
      case "/health/ready" -> answer(request, this::ready);
      case "/metrics" -> answer(request, this::scrape);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void answer(HttpServerRequest request, Consumer<HttpServerRequest> route) {
    if (READING.contains(request.method())) {
      route.accept(request);
    } else {
      request.response().setStatusCode(405).putHeader("Allow", "GET, HEAD").end();
    }
  }

  private void live(HttpServerRequest request) {
    json(request, 200, new JsonObject().put("status", "live"));
  }

  private void ready(HttpServerRequest request) {
    Readiness.Report report = readiness.report();
    int status =
        switch (report.state()) {
          case READY, DEGRADED -> 200;
          case NOT_READY -> 503;
        };
    json(request, status, report.toJson());
  }

  private void scrape(HttpServerRequest request) {
    Context context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("requests are handled on a Vert.x context");
    }
    context
        .<String>executeBlocking(metrics::scrape)
        .onSuccess(text -> end(request, 200, PROMETHEUS_TEXT, text))
        .onFailure(_ -> request.response().setStatusCode(500).end());
  }

  private static void json(HttpServerRequest request, int status, JsonObject body) {
    request.response().putHeader("Cache-Control", "no-store");
    end(request, status, "application/json", body.encode());
  }

  private static void end(HttpServerRequest request, int status, String type, String body) {
    HttpServerResponse response =
        request.response().setStatusCode(status).putHeader("Content-Type", type);
    if (request.method().equals(HttpMethod.HEAD)) {
      // over HTTP/2 Vert.x would send the body of a HEAD answer
      response.end();
    } else {
      response.end(body);
    }
  }
}
