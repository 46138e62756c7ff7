package dev.lasso.routing.select;

import dev.lasso.routing.event.LearnedLimit;
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
    Restrictions restrictions = row.restrictions();
    if (!restrictions.none()) {
      if (restrictions.forbid(request.method(), request.category())) {
        return Limit.METHOD;
      }
      if (request.blockRange() > restrictions.rangeLimit(request.method())) {
        return Limit.RANGE;
      }
      if (tooOld(routes, restrictions, request)) {
        return Limit.AGE;
      }
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

  private static boolean tooOld(
      ChainRoutes routes, Restrictions restrictions, SelectionRequest request) {
    Long consensus = routes.consensusHeight();
    return restrictions.maxBlockAge() > 0
        && consensus != null
        && request.fromBlock() != SelectionRequest.UNBOUND
        && consensus - request.fromBlock() > restrictions.maxBlockAge();
  }
}
