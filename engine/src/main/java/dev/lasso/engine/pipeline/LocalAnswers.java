package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.facts.MethodCategory;
import dev.lasso.routing.facts.MethodPolicy;
import dev.lasso.routing.facts.RpcMethod;
import org.jspecify.annotations.Nullable;

/** Calls that Lasso answers by itself (routing page, "Answers"). */
final class LocalAnswers {
  private LocalAnswers() {}

  /** Why a method is not served, or null when it is. */
  static @Nullable RpcFault refusal(MethodPolicy policy, RpcMethod method) {
    if (method.category() == MethodCategory.SUBSCRIPTION) {
      return new RpcFault(
          RpcFault.METHOD_NOT_FOUND,
          "The method "
              + method.name()
              + " needs a WebSocket connection: use the same path under /ws");
    }
    return switch (policy.decide(method)) {
      case MethodPolicy.Decision.Allowed _ -> null;
      case MethodPolicy.Decision.Refused(String reason) ->
          new RpcFault(
              RpcFault.METHOD_NOT_FOUND,
              "The method " + method.name() + " is not available: " + reason);
    };
  }

  /** The result that the profile alone gives, or null when a provider must be asked. */
  static @Nullable JsonSlice result(RpcMethod method, ChainId chain) {
    return switch (method.name()) {
      case "eth_chainId" -> JsonSlice.of("\"" + chain.hex() + "\"");
      case "net_version" -> JsonSlice.of("\"" + chain + "\"");
      default -> null;
    };
  }
}
