package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.ScannedAnswer;

/** An answer that is kept back while another attempt may better it. */
sealed interface Held {
  /** The attempt that gave it. */
  Flight flight();

  /** How long that attempt took. */
  double latencyMs();

  /** A null that another provider may contradict. */
  record Null(Flight flight, JsonSlice result, double latencyMs) implements Held {}

  /** A provider's error. */
  record ProviderError(Flight flight, ScannedAnswer.RpcError error, double latencyMs)
      implements Held {}

  /** A refusal of the request that came without a JSON-RPC error, in our words. */
  record Refusal(Flight flight, int code, String message, double latencyMs) implements Held {}
}
