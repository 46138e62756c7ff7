package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.select.Plan;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What a caller is told when nobody could serve: every attempt and every rejection with its reason.
 */
final class Exhausted {
  private Exhausted() {}

  /**
   * The reason in words.
   *
   * @param late whether the method's deadline has passed
   */
  static String message(Plan plan, List<RoutingDecision.Tried> tried, boolean late) {
    if (!tried.isEmpty()) {
      return tried.stream().allMatch(Exhausted::neverSent)
          ? "Overloaded: no connection to a provider became free in time"
          : "All providers failed";
    }
    if (plan.size() > 0) {
      return late
          ? "Overloaded: the method's deadline passed before a provider was asked"
          : "No provider is available any more";
    }
    List<Plan.Rejection> rejections = plan.rejections();
    if (rejections.isEmpty()) {
      return "No provider is available";
    }
    RejectionReason first = rejections.getFirst().reason();
    boolean same = rejections.stream().allMatch(rejection -> rejection.reason() == first);
    if (!same) {
      return "No provider can serve this request now";
    }
    return switch (first) {
      case CAPABILITY -> "No provider is able to serve this request";
      case NOT_ARCHIVAL -> "No provider keeps state that old";
      case EXCLUDED -> "No provider is left that this request may use";
      case LAGGING -> "Every provider is behind the chain";
      case NO_TRANSPORT, WS_DOWN, CIRCUIT_OPEN, HALF_OPEN_BUSY, RATE_LIMITED, CHAIN_MISMATCH ->
          "No provider is available now";
    };
  }

  /** In a request that nobody served, an attempt without a fault of the provider was never sent. */
  private static boolean neverSent(RoutingDecision.Tried attempt) {
    return attempt.outcome() instanceof AttemptOutcome.Cancelled;
  }

  static JsonSlice data(AnswerInfo info) {
    JsonObject data =
        new JsonObject()
            .put("request_id", info.requestId().value())
            .put("attempts", attempts(info.attempts()))
            .put("rejected", rejections(info.rejections()));
    if (info.retryAfterMs() != null) {
      data.put("retry_after_ms", info.retryAfterMs());
    }
    return JsonSlice.of(data.encode());
  }

  static JsonArray attempts(List<RoutingDecision.Tried> attempts) {
    JsonArray array = new JsonArray();
    for (RoutingDecision.Tried attempt : attempts) {
      JsonObject entry =
          new JsonObject()
              .put("provider", attempt.channel().provider().value())
              .put("transport", attempt.channel().transport().word());
      switch (attempt.outcome()) {
        case AttemptOutcome.Success _ -> {}
        case AttemptOutcome.Cancelled _ -> entry.put("error", "cancelled");
        case AttemptOutcome.Failure failure ->
            entry.put("error", failure.errorClass().word()).put("message", failure.message());
      }
      entry.put("latency_ms", Math.round(attempt.latencyMs() * 1000) / 1000.0);
      if (attempt.hedge()) {
        entry.put("hedge", true);
      }
      array.add(entry);
    }
    return array;
  }

  static JsonArray rejections(List<RoutingDecision.Rejection> rejections) {
    JsonArray array = new JsonArray();
    for (RoutingDecision.Rejection rejection : rejections) {
      array.add(
          new JsonObject()
              .put("provider", rejection.channel().provider().value())
              .put("transport", rejection.channel().transport().word())
              .put("reason", rejection.reason().name())
              .put("detail", rejection.detail()));
    }
    return array;
  }
}
