package dev.lasso.engine.pipeline;

import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.select.ChannelRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an answer can say of how it came about: headers and metadata.
 *
 * @param httpStatus the HTTP status of an answer that stands alone
 * @param requestId names the request in logs and events
 * @param profile slug of the profile
 * @param chain key of the chain
 * @param strategy the strategy that ranked
 * @param candidates how many channels were considered
 * @param served the channel whose answer this is, or null when no provider gave it
 * @param attempts what was tried, in order
 * @param rejections what was left out and why
 * @param circuit effective circuit of the channel that served, when the decision was taken
 * @param degraded whether only lagging providers were left
 * @param selectionMs time spent deciding
 * @param upstreamMs time of the attempt that answered; 0 when none did
 * @param totalMs from admission to the answer
 * @param retryAfterMs when the caller should come again, or null when not known
 */
public record AnswerInfo(
    int httpStatus,
    RequestId requestId,
    String profile,
    String chain,
    StrategyName strategy,
    int candidates,
    @Nullable ChannelRow served,
    List<RoutingDecision.Tried> attempts,
    List<RoutingDecision.Rejection> rejections,
    CircuitStatus circuit,
    boolean degraded,
    double selectionMs,
    double upstreamMs,
    double totalMs,
    @Nullable Long retryAfterMs) {
  /** Height of the provider that served, or null when not known. */
  public @Nullable Long servedHeight() {
    ChannelRow row = served;
    var height = row == null ? null : row.height();
    return height == null ? null : height.number();
  }

  /** The same for the batch that the answer is part of: always HTTP 200. */
  AnswerInfo asPartOfBatch() {
    return with(200, requestId, totalMs, null);
  }

  /** The same for another caller that shares the answer. */
  AnswerInfo forCaller(RequestId caller, double callerTotalMs) {
    return with(httpStatus, caller, callerTotalMs, retryAfterMs);
  }

  private AnswerInfo with(
      int status, RequestId caller, double callerTotalMs, @Nullable Long callerRetryAfterMs) {
    return new AnswerInfo(
        status,
        caller,
        profile,
        chain,
        strategy,
        candidates,
        served,
        attempts,
        rejections,
        circuit,
        degraded,
        selectionMs,
        upstreamMs,
        callerTotalMs,
        callerRetryAfterMs);
  }
}
