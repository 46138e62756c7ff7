package dev.lasso.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.fault.Fault.RateLimited;
import dev.lasso.simulator.node.RpcReply;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** The dialects in which providers say "too many requests". */
final class RateLimitReply {

  private RateLimitReply() {}

  /** The headers that go with status 429. */
  static Map<String, String> headers(RateLimited fault, long nowMillis) {
    long seconds = Math.max(1, fault.retryAfter().toSeconds());
    Instant until = Instant.ofEpochMilli(nowMillis).plus(fault.retryAfter());
    return switch (fault.form()) {
      case SECONDS -> Map.of("Retry-After", Long.toString(seconds));
      case DATE ->
          Map.of(
              "Retry-After",
              DateTimeFormatter.RFC_1123_DATE_TIME.format(until.atOffset(ZoneOffset.UTC)));
      case RESET ->
          Map.of(
              "x-ratelimit-remaining",
              "0",
              "x-ratelimit-reset",
              Long.toString(until.getEpochSecond()));
      case RPC, NONE -> Map.of();
    };
  }

  /** The JSON-RPC error of all forms. */
  static RpcReply.Failure error(RateLimited fault) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    if (fault.form() != RateLimited.Form.NONE) {
      data.put("retry_after_ms", fault.retryAfter().toMillis());
    }
    return new RpcReply.Failure(
        -32005, "rate limit exceeded: too many requests", data.isEmpty() ? null : data);
  }
}
