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
  private final SplitMix random = new SplitMix();
  private long[] words = new long[32]; // a ChannelWord for each channel
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
    random.seed(seed);
    boolean notable = request.strategy() == StrategyName.LEAST_LOADED;
    int laggingOnly = 0;
    for (int i = 0; i < size; i++) {
      ChannelRow row = routes.channel(i);
      long word = ChannelWord.read(local.endpoint(row.endpoint()), nowMs);
      RejectionReason reason = filter(routes, row, word, request, nowMs);
      if (reason == null) {
        candidates.add(i);
        tiers[i] = (byte) Plan.tier(row, word, nowMs);
      } else {
        word = ChannelWord.rejected(word, reason);
        if (reason == RejectionReason.LAGGING
            && passesAfterLag(routes, row, request, nowMs)
            && meetsMinBlock(row, request)) {
          laggingOnly++;
        }
      }
      words[i] = word;
      notable |= ChannelWord.notable(word);
    }
    boolean degraded = false;
    if (candidates.size() == 0 && laggingOnly > 0 && routes.serveLeastLagging()) {
      admitLeastLagging(routes, request, nowMs);
      degraded = true;
    } else {
      ranking.rank(candidates, routes, request.method(), request.strategy(), words, nowMs, random);
    }
    short[] order = inTiers();
    boolean trial = leadWithTrial(order, request);
    return new Plan(
        routes,
        request,
        nowMs,
        seed,
        order,
        notable ? Arrays.copyOf(words, size) : null,
        degraded,
        trial);
  }

  private void makeRoom(int size) {
    candidates.reset(size);
    if (tiers.length < size) {
      words = new long[size];
      tiers = new byte[size];
    }
  }

  private @Nullable RejectionReason filter(
      ChainRoutes routes, ChannelRow row, long word, SelectionRequest request, long nowMs) {
    if (request.transport() != null && request.transport() != row.channel().transport()) {
      return RejectionReason.NO_TRANSPORT;
    }
    if (row.ws() && !ChannelWord.connected(word)) {
      return RejectionReason.WS_DOWN;
    }
    if (row.fleet().wrongChainId() != null) {
      return RejectionReason.CHAIN_MISMATCH;
    }
    CircuitStatus circuit = row.fleet().circuitAt(nowMs).worse(ChannelWord.circuit(word));
    if (circuit == CircuitStatus.OPEN) {
      return RejectionReason.CIRCUIT_OPEN;
    }
    if (circuit == CircuitStatus.HALF_OPEN
        && ChannelWord.trialsInFlight(word) >= policy.halfOpenMaxInFlight()) {
      return RejectionReason.HALF_OPEN_BUSY;
    }
    if (request.excludeRateLimited() && rateLimited(row, word, nowMs)) {
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

  private static boolean rateLimited(ChannelRow row, long word, long nowMs) {
    return row.fleet().rateLimitedUntilMs() > nowMs || ChannelWord.rateLimited(word);
  }

  /** Takes in every channel rejected for lag alone, the least lagging first. */
  private void admitLeastLagging(ChainRoutes routes, SelectionRequest request, long nowMs) {
    for (int i = 0; i < routes.size(); i++) {
      ChannelRow row = routes.channel(i);
      if (ChannelWord.rejection(words[i]) == RejectionReason.LAGGING
          && passesAfterLag(routes, row, request, nowMs)
          && meetsMinBlock(row, request)) {
        candidates.add(i);
        tiers[i] = (byte) Plan.tier(row, words[i], nowMs);
        Height height = row.height();
        boolean syncing = height != null && height.syncing();
        candidates.key(i, syncing ? 1e15 : routes.lagBlocks(row, nowMs));
        words[i] = ChannelWord.admitted(words[i]);
      }
    }
    candidates.sort();
  }

  /** The candidates by tier, the ranking kept within each. */
  private short[] inTiers() {
    short[] order = new short[candidates.size()];
    int next = 0;
    for (int tier = 0; tier < TIERS && next < order.length; tier++) {
      for (int i = 0; i < candidates.size(); i++) {
        int channel = candidates.at(i);
        if (tiers[channel] == tier) {
          order[next++] = (short) channel;
        }
      }
    }
    return order;
  }

  /**
   * Lets an idle half-open channel lead now and then, so that it finds its way back beside healthy
   * neighbours.
   */
  private boolean leadWithTrial(short[] order, SelectionRequest request) {
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
      if (tiers[order[i]] == 2 && ChannelWord.trialsInFlight(words[order[i]]) == 0) {
        if (random.nextDouble() >= policy.trialLeadProbability()) {
          return false;
        }
        short held = order[i];
        System.arraycopy(order, 0, order, 1, i);
        order[0] = held;
        return true;
      }
    }
    return false;
  }
}
