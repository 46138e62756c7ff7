package dev.lasso.routing.select;

import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.ProviderLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a channel can serve a request at all: as configured, and as the fleet learned. */
final class CapabilityCheck {
  private CapabilityCheck() {}

  /** Which limit a request breaks. */
  enum Limit {
    METHOD("does not serve "),
    LEARNED_METHOD("answered lately that it does not serve "),
    RANGE("block range too wide for "),
    LEARNED_RANGE("answered lately that the block range is too wide for "),
    AGE("does not serve blocks that old for ");

    private final String words;

    Limit(String words) {
      this.words = words;
    }

    String words(SelectionRequest request) {
      return words + request.method();
    }
  }

  static @Nullable Limit violated(
      ChainRoutes routes, ChannelRow row, SelectionRequest request, long nowMs) {
    Capabilities capabilities = row.capabilities();
    if (forbids(capabilities, request)) {
      return Limit.METHOD;
    }
    Long maxBlockRange = capabilities.limits().maxBlockRange();
    if (maxBlockRange != null && request.blockRange() > maxBlockRange) {
      return Limit.RANGE;
    }
    if (tooOld(routes, capabilities.limits(), request)) {
      return Limit.AGE;
    }
    List<LearnedLimit> learned = row.fleet().learned();
    for (int i = 0; i < learned.size(); i++) {
      LearnedLimit limit = learned.get(i);
      if (limit.untilMs() > nowMs && limit.method().equals(request.method())) {
        if (limit.methodUnsupported()) {
          return Limit.LEARNED_METHOD;
        }
        if (request.blockRange() > limit.maxBlockRange()) {
          return Limit.LEARNED_RANGE;
        }
      }
    }
    return null;
  }

  private static boolean forbids(Capabilities capabilities, SelectionRequest request) {
    return matches(capabilities.unsupportedMethods(), request.method())
        || capabilities.unsupportedCategories().contains(request.category());
  }

  private static boolean matches(List<MethodPattern> patterns, String method) {
    for (int i = 0; i < patterns.size(); i++) {
      if (patterns.get(i).matches(method)) {
        return true;
      }
    }
    return false;
  }

  private static boolean tooOld(
      ChainRoutes routes, ProviderLimits limits, SelectionRequest request) {
    Long maxBlockAge = limits.maxBlockAge();
    Long consensus = routes.consensusHeight();
    return maxBlockAge != null
        && consensus != null
        && request.fromBlock() != SelectionRequest.UNBOUND
        && consensus - request.fromBlock() > maxBlockAge
        && (limits.blockAgeMethods().isEmpty()
            || matches(limits.blockAgeMethods(), request.method()));
  }
}
