package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.chain.Hex;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the block a parameter means: a tag, a height, or an object of EIP-1898. Guarded by the
 * chain's lock.
 */
final class BlockSelector {

  private final SimChain chain;
  private final NodeView view;
  private final NodeSpec spec;

  BlockSelector(SimChain chain, NodeView view, NodeSpec spec) {
    this.chain = chain;
    this.view = view;
    this.spec = spec;
  }

  /** The height a tag or number means; {@code pending} is one above the head. */
  long number(Params params, int index) {
    String text = params.text(index);
    long head = view.head().number();
    int safeDepth = chain.spec().safeDepth();
    return switch (text) {
      case "latest" -> head;
      case "pending" -> head + 1;
      case "safe" -> Math.max(0, head - safeDepth);
      case "finalized" -> Math.max(0, head - 2L * safeDepth);
      case "earliest" -> 0;
      default -> params.quantity(index);
    };
  }

  /** The block for a method that returns it; null above the head. */
  @Nullable SimBlock block(Params params, int index) {
    return block(number(params, index));
  }

  /** The block of a height; null above the head. */
  @Nullable SimBlock block(long number) {
    if (number < chain.oldestRetained()) {
      throw new RpcException(4444, "pruned history unavailable");
    }
    return view.block(number);
  }

  /** The block whose state a method reads; the head if the parameter is absent. */
  SimBlock state(Params params, int index) {
    SimBlock block = params.has(index) ? stateBlock(params, index) : view.head();
    if (block == null) {
      throw new RpcException(-32000, "header not found");
    }
    if (!spec.archival() && block.number() < view.head().number() - NodeSpec.RECENT_STATES) {
      String root = block.header().stateRoot();
      throw new RpcException(
          -32000,
          "missing trie node "
              + root.substring(2)
              + " (path ) state "
              + root
              + " is not available, not found");
    }
    return block;
  }

  private @Nullable SimBlock stateBlock(Params params, int index) {
    JsonNode json = params.at(index);
    if (json.isObject()) {
      if (json.hasNonNull("blockHash")) {
        SimBlock block = view.byHash(json.get("blockHash").asText().toLowerCase(Locale.ROOT));
        if (block != null
            && json.path("requireCanonical").asBoolean(false)
            && !view.isCanonical(block)) {
          throw new RpcException(-32000, "hash is not currently canonical");
        }
        return block;
      }
      try {
        return block(Hex.number(json.path("blockNumber").asText()));
      } catch (IllegalArgumentException e) {
        throw Params.invalid(index, String.valueOf(e.getMessage()));
      }
    }
    String text = params.text(index);
    if (text.equals("pending")) {
      return view.head();
    }
    if (Hex.isData(text, 32)) {
      return view.byHash(text);
    }
    return block(params, index);
  }
}
