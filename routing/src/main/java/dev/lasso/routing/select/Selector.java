package dev.lasso.routing.select;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.circuit.CircuitStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Chooses channels for requests: the filters in the seeds' order, the strategy's ranking, the four
 * health tiers. The same inputs, clock and seed give the same plan, so that a recorded decision can
 * be taken again.
 *
 * <p>Holds working memory: one selector for each event loop, never shared.
 */
public final class Selector {
  private static final int TIERS = 4;

  private final SelectionPolicy policy;
  private final Ranking ranking;
  private final Candidates candidates = new Candidates();
  private final LocalStates states = new LocalStates();
  private final SplitMix random = new SplitMix();
  private @Nullable RejectionReason[] reasons = new @Nullable RejectionReason[32];
  private byte[] tiers = new byte[32];

  public Selector(SelectionPolicy policy) {
    this.policy = policy;
    this.ranking = new Ranking(policy);
  }

  /**
   * Decides where a request may go.
   *
   * @param routes the chain as the snapshot holds it
   * @param request what is asked
   * @param local what this process itself knows
   * @param nowMs the clock, epoch milliseconds
   * @param seed what the ranking is drawn with
   */
  public Plan select(
      ChainRoutes routes, SelectionRequest request, LocalView local, long nowMs, long seed) {
    int size = routes.size();
    makeRoom(size);
    states.read(routes, local, nowMs);
    random.seed(seed);
    boolean anyRejected = false;
    int laggingOnly = 0;
    for (int i = 0; i < size; i++) {
      ChannelRow row = routes.channel(i);
      RejectionReason reason = filter(routes, i, request, nowMs);
      if (reason == null) {
        candidates.add(i);
        tiers[i] = tier(row, i, nowMs);
        reasons[i] = null;
      } else {
        anyRejected = true;
        reasons[i] = reason;
        if (reason == RejectionReason.LAGGING
            && passesAfterLag(routes, row, request, nowMs)
            && meetsMinBlock(row, request)) {
          laggingOnly++;
        }
      }
    }
    boolean degraded = false;
    if (candidates.size() == 0 && laggingOnly > 0 && routes.serveLeastLagging()) {
      admitLeastLagging(routes, request, nowMs);
      degraded = true;
    } else {
      ranking.rank(candidates, routes, request.method(), request.strategy(), states, nowMs, random);
    }
    int[] order = inTiers();
    boolean trial = leadWithTrial(order, request);
    @Nullable RejectionReason @Nullable [] rejected =
        anyRejected ? Arrays.copyOf(reasons, size) : null;
    boolean keep = states.notable() || request.strategy() == StrategyName.LEAST_LOADED;
    return new Plan(
        routes,
        request,
        nowMs,
        seed,
        order,
        rejected,
        keep ? states.copy() : null,
        degraded,
        trial);
  }

  private void makeRoom(int size) {
    candidates.reset(size);
    if (reasons.length < size) {
      reasons = new @Nullable RejectionReason[size];
      tiers = new byte[size];
    }
  }

  private @Nullable RejectionReason filter(
      ChainRoutes routes, int channel, SelectionRequest request, long nowMs) {
    ChannelRow row = routes.channel(channel);
    if (request.transport() != null && request.transport() != row.channel().transport()) {
      return RejectionReason.NO_TRANSPORT;
    }
    if (row.ws() && !states.connected(channel)) {
      return RejectionReason.WS_DOWN;
    }
    if (row.fleet().wrongChainId() != null) {
      return RejectionReason.CHAIN_MISMATCH;
    }
    CircuitStatus circuit = row.fleet().circuitAt(nowMs).worse(states.circuit(channel));
    if (circuit == CircuitStatus.OPEN) {
      return RejectionReason.CIRCUIT_OPEN;
    }
    if (circuit == CircuitStatus.HALF_OPEN
        && states.trialsInFlight(channel) >= policy.halfOpenMaxInFlight()) {
      return RejectionReason.HALF_OPEN_BUSY;
    }
    if (request.excludeRateLimited() && rateLimited(row, channel, nowMs)) {
      return RejectionReason.RATE_LIMITED;
    }
    if (lagging(routes, row, request, nowMs)) {
      return RejectionReason.LAGGING;
    }
    return afterLag(routes, row, request, nowMs);
  }

  private static @Nullable RejectionReason afterLag(
      ChainRoutes routes, ChannelRow row, SelectionRequest request, long nowMs) {
    if (request.requiresArchival() && !row.archival()) {
      return RejectionReason.NOT_ARCHIVAL;
    }
    if ((!request.onlyProviders().isEmpty()
            && !request.onlyProviders().contains(row.channel().provider()))
        || request.excluded().contains(row.channel().provider())) {
      return RejectionReason.EXCLUDED;
    }
    return CapabilityCheck.violated(routes, row, request, nowMs) == null
        ? null
        : RejectionReason.CAPABILITY;
  }

  private static boolean passesAfterLag(
      ChainRoutes routes, ChannelRow row, SelectionRequest request, long nowMs) {
    return afterLag(routes, row, request, nowMs) == null;
  }

  private static boolean lagging(
      ChainRoutes routes, ChannelRow row, SelectionRequest request, long nowMs) {
    Height height = row.height();
    return !meetsMinBlock(row, request)
        || (height != null
            && (height.syncing() || routes.lagBlocks(row, nowMs) > routes.maxLagBlocks()));
  }

  private static boolean meetsMinBlock(ChannelRow row, SelectionRequest request) {
    Height height = row.height();
    return request.minBlock() == SelectionRequest.UNBOUND
        || (height != null && height.number() >= request.minBlock());
  }

  private boolean rateLimited(ChannelRow row, int channel, long nowMs) {
    return row.fleet().rateLimitedUntilMs() > nowMs || states.rateLimitedUntilMs(channel) > nowMs;
  }

  private byte tier(ChannelRow row, int channel, long nowMs) {
    return (byte)
        Plan.tier(row, states.circuit(channel), states.rateLimitedUntilMs(channel), nowMs);
  }

  /** Takes in every channel rejected for lag alone, the least lagging first. */
  private void admitLeastLagging(ChainRoutes routes, SelectionRequest request, long nowMs) {
    for (int i = 0; i < routes.size(); i++) {
      ChannelRow row = routes.channel(i);
      if (reasons[i] == RejectionReason.LAGGING
          && passesAfterLag(routes, row, request, nowMs)
          && meetsMinBlock(row, request)) {
        candidates.add(i);
        tiers[i] = tier(row, i, nowMs);
        Height height = row.height();
        boolean syncing = height != null && height.syncing();
        candidates.key(i, syncing ? 1e15 : routes.lagBlocks(row, nowMs));
        reasons[i] = null;
      }
    }
    candidates.sort();
  }

  /** The candidates by tier, the ranking kept within each. */
  private int[] inTiers() {
    int[] order = new int[candidates.size()];
    int next = 0;
    for (int tier = 0; tier < TIERS && next < order.length; tier++) {
      for (int i = 0; i < candidates.size(); i++) {
        int channel = candidates.at(i);
        if (tiers[channel] == tier) {
          order[next++] = channel;
        }
      }
    }
    return order;
  }

  /**
   * Lets an idle half-open channel lead now and then, so that it finds its way back beside healthy
   * neighbours.
   */
  private boolean leadWithTrial(int[] order, SelectionRequest request) {
    if (order.length == 0) {
      return false;
    }
    if (tiers[order[0]] >= 2) {
      return true;
    }
    if (!request.replaySafe() || tiers[order[order.length - 1]] < 2) {
      return false;
    }
    for (int i = 1; i < order.length; i++) {
      if (tiers[order[i]] == 2 && states.trialsInFlight(order[i]) == 0) {
        if (random.nextDouble() >= policy.trialLeadProbability()) {
          return false;
        }
        int held = order[i];
        System.arraycopy(order, 0, order, 1, i);
        order[0] = held;
        return true;
      }
    }
    return false;
  }
}
