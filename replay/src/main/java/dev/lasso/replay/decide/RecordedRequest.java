package dev.lasso.replay.decide;

import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.select.LocalEndpoint;
import dev.lasso.routing.select.LocalView;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionRequest;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The inputs of a recorded decision in the form that selection takes, and its result likewise. */
public final class RecordedRequest {
  private RecordedRequest() {}

  /** What was asked. */
  static SelectionRequest of(RoutingDecision decision) {
    return of(decision, decision.strategy(), Set.copyOf(decision.facts().onlyProviders()));
  }

  /** What was asked, to be ranked by another strategy over these providers; empty for all. */
  public static SelectionRequest of(
      RoutingDecision decision, StrategyName strategy, Set<ProviderId> onlyProviders) {
    RoutingDecision.Facts facts = decision.facts();
    return new SelectionRequest(
        facts.method(),
        facts.category(),
        strategy,
        facts.replaySafe(),
        facts.transport(),
        bound(facts.fromBlock()),
        bound(facts.toBlock()),
        bound(facts.minBlock()),
        facts.requiresArchival(),
        facts.excludeRateLimited(),
        onlyProviders,
        Set.copyOf(facts.excluded()));
  }

  private static long bound(@Nullable Long block) {
    return block == null ? SelectionRequest.UNBOUND : block;
  }

  /**
   * What the deciding process itself knew. To be asked once for each channel, in profile order, as
   * selection does: channels that share an endpoint were read one after the other.
   */
  public static LocalView local(RoutingDecision decision) {
    Map<Endpoint, ArrayDeque<RoutingDecision.Candidate>> byEndpoint = new HashMap<>();
    for (RoutingDecision.Candidate candidate : decision.candidates()) {
      byEndpoint
          .computeIfAbsent(candidate.channel().endpoint(), _ -> new ArrayDeque<>())
          .add(candidate);
    }
    return endpoint -> {
      ArrayDeque<RoutingDecision.Candidate> recorded = byEndpoint.get(endpoint);
      if (recorded == null) {
        return LocalEndpoint.IDLE;
      }
      return new Local(recorded.size() > 1 ? recorded.remove() : recorded.element());
    };
  }

  private record Local(RoutingDecision.Candidate candidate) implements LocalEndpoint {
    @Override
    public CircuitStatus circuitAt(long nowMs) {
      return candidate.localCircuit();
    }

    @Override
    public long rateLimitedUntilMs() {
      return candidate.localRateLimitedUntilMs();
    }

    @Override
    public int trialsInFlight() {
      return candidate.trialsInFlight();
    }

    @Override
    public boolean connected() {
      return candidate.connected();
    }

    @Override
    public int inFlight() {
      return candidate.inFlight();
    }

    @Override
    public double latencyEwmaMs() {
      return candidate.latencyEwmaMs();
    }
  }

  /** The event that the process would have recorded had it decided on this plan. */
  static RoutingDecision with(RoutingDecision recorded, Plan plan) {
    List<RoutingDecision.Rejection> rejections =
        plan.rejections().stream()
            .map(
                rejection ->
                    new RoutingDecision.Rejection(
                        rejection.channel().channel(), rejection.reason(), rejection.detail()))
            .toList();
    List<Channel> channels = plan.channels().stream().map(row -> row.channel()).toList();
    return new RoutingDecision(
        recorded.region(),
        recorded.process(),
        recorded.requestId(),
        recorded.profile(),
        recorded.chain(),
        recorded.decidedAtMs(),
        recorded.facts(),
        recorded.strategy(),
        recorded.seed(),
        recorded.policy(),
        recorded.snapshot(),
        recorded.candidates(),
        rejections,
        channels,
        plan.degraded(),
        recorded.attempts(),
        recorded.outcome(),
        recorded.totalMs());
  }
}
