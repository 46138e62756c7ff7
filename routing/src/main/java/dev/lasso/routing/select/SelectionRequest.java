package dev.lasso.routing.select;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What selection reads of a request.
 *
 * @param method the JSON-RPC method
 * @param category the method's category, as {@code unsupported_categories} names it
 * @param strategy how to rank
 * @param replaySafe whether it may be sent to several providers
 * @param transport the only transport allowed, or null for any
 * @param fromBlock lowest block read; -1 when unbound
 * @param toBlock highest block read; -1 when unbound
 * @param minBlock height that a provider must have reached; -1 for none
 * @param requiresArchival whether old state is needed
 * @param excludeRateLimited whether rate-limited channels are left out instead of demoted
 * @param onlyProviders the providers allowed; empty for all
 * @param excluded providers left out
 */
public record SelectionRequest(
    String method,
    String category,
    StrategyName strategy,
    boolean replaySafe,
    @Nullable Transport transport,
    long fromBlock,
    long toBlock,
    long minBlock,
    boolean requiresArchival,
    boolean excludeRateLimited,
    Set<ProviderId> onlyProviders,
    Set<ProviderId> excluded) {
  public static final long UNBOUND = -1;

  /** A request for any channel, bound to no block. */
  public static SelectionRequest of(String method, String category, StrategyName strategy) {
    return new SelectionRequest(
        method, category, strategy, true, null, UNBOUND, UNBOUND, UNBOUND, false, false, Set.of(),
        Set.of());
  }

  /** Blocks spanned by the request, 0 when it is not a range. */
  public long blockRange() {
    return fromBlock == UNBOUND || toBlock == UNBOUND || toBlock < fromBlock
        ? 0
        : toBlock - fromBlock + 1;
  }
}
