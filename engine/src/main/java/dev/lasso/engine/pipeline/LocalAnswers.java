package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.facts.MethodCategory;
import dev.lasso.routing.facts.MethodPolicy;
import dev.lasso.routing.facts.RpcMethod;
import org.jspecify.annotations.Nullable;

/** Calls that Lasso answers by itself (routing page, "Answers"). */
final class LocalAnswers {
  private LocalAnswers() {}

  /**
   * Why a method is not served, or null when it is.
   *
   * @param filtersServed whether filters are served by Lasso
   */
  static @Nullable RpcFault refusal(RpcTarget target, RpcMethod method, boolean filtersServed) {
    if (target.chain().methods().decide(method)
        instanceof MethodPolicy.Decision.Refused(String reason)) {
      return unavailable(method, reason);
    }
    if (method.category() == MethodCategory.SUBSCRIPTION) {
      return unavailable(
          method, "it needs a WebSocket connection; use the same path under /ws/rpc/");
    }
    if (method.category() == MethodCategory.FILTER
        && target.options().provider() == null
        && !(filtersServed && FilterCalls.METHODS.contains(method.name()))) {
      return unavailable(
          method,
          "a filter of this kind lives on one provider; address one with"
              + " /rpc/provider/:provider/:chain");
    }
    return null;
  }

  private static RpcFault unavailable(RpcMethod method, String reason) {
    return new RpcFault(
        RpcFault.METHOD_NOT_FOUND, "The method " + method.name() + " is not available: " + reason);
  }

  /** The result that needs no provider, or null when one must be asked. */
  static @Nullable JsonSlice result(
      RpcTarget target, RpcMethod method, EnginePolicy policy, long nowMs) {
    ChainId chain = target.chain().settings().chainId();
    return switch (method.name()) {
      case "eth_chainId" -> JsonSlice.of("\"" + chain.hex() + "\"");
      case "net_version" -> JsonSlice.of("\"" + chain + "\"");
      case "eth_blockNumber" -> policy.headFromConsensus() ? freshHead(target, nowMs) : null;
      default -> null;
    };
  }

  /**
   * The consensus height as a result, where it rose within one and a half block times and a second,
   * and the caller did not ask for a particular provider or a higher block.
   */
  private static @Nullable JsonSlice freshHead(RpcTarget target, long nowMs) {
    ChainState state = target.chain().state();
    Long height = state == null ? null : state.consensusHeight();
    if (state == null
        || height == null
        || target.options().provider() != null
        || target.options().minBlock() > height
        || nowMs - state.consensusAtMs() > 1.5 * target.chain().routes().blockTimeMs() + 1_000) {
      return null;
    }
    return JsonSlice.of("\"0x" + Long.toHexString(height) + "\"");
  }

  /** The number that a result such as {@code "0x1b4"} says; -1 for anything else. */
  static long quantity(JsonSlice result) {
    if (result.size() < 5 || result.size() > 20) {
      return -1;
    }
    String text = result.toString();
    try {
      return text.startsWith("\"0x") && text.endsWith("\"")
          ? Long.parseUnsignedLong(text, 3, text.length() - 1, 16)
          : -1;
    } catch (NumberFormatException _) {
      return -1;
    }
  }
}
