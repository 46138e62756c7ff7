package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.routing.facts.MethodCategory;
import dev.lasso.routing.facts.RpcMethod;
import io.vertx.core.buffer.Buffer;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Serves the clients' filters from the chain's stream, so that no filter lives on a provider: in
 * the subscription-service itself, elsewhere by passing the call on to one.
 */
public interface FilterCalls {
  /** The methods served; others of their category belong to single providers. */
  Set<String> METHODS =
      Set.of(
          "eth_newFilter",
          "eth_newBlockFilter",
          "eth_newPendingTransactionFilter",
          "eth_getFilterChanges",
          "eth_getFilterLogs",
          "eth_uninstallFilter");

  /** Whether a call is served here: one addressed to a single provider is that provider's. */
  static boolean covers(RpcTarget target, RpcMethod method) {
    return method.category() == MethodCategory.FILTER
        && target.options().provider() == null
        && METHODS.contains(method.name());
  }

  /** What came of a call. */
  sealed interface Reply {
    /** The whole JSON-RPC answer. */
    record Whole(Buffer answer) implements Reply {}

    /** Providers know the answer: to this call. */
    record Ask(RpcCall call) implements Reply {}
  }

  /**
   * Serves a call. To be called on an event loop.
   *
   * @param done gets the reply once, on that event loop, perhaps before this returns
   * @return the call under way; a cancelled poll counts as if it had not been
   */
  RunningCall call(RpcTarget target, RequestEnvelope call, Consumer<Reply> done);
}
