package dev.lasso.routing.select;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.circuit.CircuitStatus;

/** Words for the numbers behind a rejection. */
final class RejectionDetail {
  private RejectionDetail() {}

  static String of(
      ChainRoutes routes,
      ChannelRow row,
      SelectionRequest request,
      RejectionReason reason,
      long nowMs) {
    return switch (reason) {
      case NO_TRANSPORT -> "has no " + row.channel().transport().word() + " for this request";
      case WS_DOWN -> "no open WebSocket connection";
      case CIRCUIT_OPEN ->
          row.fleet().circuitAt(nowMs) == CircuitStatus.OPEN
              ? "fleet circuit open for " + (row.fleet().openUntilMs() - nowMs) + " ms more"
              : "this process's circuit is open";
      case HALF_OPEN_BUSY -> "a half-open trial is under way";
      case RATE_LIMITED ->
          row.fleet().rateLimitedUntilMs() > nowMs
              ? "rate-limited for " + (row.fleet().rateLimitedUntilMs() - nowMs) + " ms more"
              : "rate-limited as this process saw it";
      case LAGGING -> lagging(routes, row, request, nowMs);
      case NOT_ARCHIVAL -> "keeps no old state";
      case EXCLUDED -> "not among the providers that the request may use";
      case CAPABILITY -> capability(routes, row, request, nowMs);
      case CHAIN_MISMATCH ->
          "answers for chain " + row.fleet().wrongChainId() + " instead of " + routes.chain();
    };
  }

  private static String lagging(
      ChainRoutes routes, ChannelRow row, SelectionRequest request, long nowMs) {
    Height height = row.height();
    if (height == null) {
      return "height not known, at least " + request.minBlock() + " asked for";
    }
    if (height.syncing()) {
      return "says it is syncing, at height " + height.number();
    }
    if (request.minBlock() > height.number()) {
      return "at height " + height.number() + ", at least " + request.minBlock() + " asked for";
    }
    return "at height "
        + height.number()
        + ", "
        + routes.lagBlocks(row, nowMs)
        + " blocks behind consensus "
        + routes.consensusHeight()
        + ", at most "
        + routes.maxLagBlocks()
        + " allowed";
  }

  private static String capability(
      ChainRoutes routes, ChannelRow row, SelectionRequest request, long nowMs) {
    CapabilityCheck.Limit limit = CapabilityCheck.violated(routes, row, request, nowMs);
    return limit == null ? "can't serve the request" : limit.words(request);
  }
}
