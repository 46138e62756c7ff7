package dev.lasso.engine.pipeline;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan and what came of it as the event that answers, metadata and replay print alike. */
final class Decisions {
  private Decisions() {}

  static boolean wantsMetadata(RpcTarget target) {
    return target.options().metadata() != RequestOptions.Metadata.NONE;
  }

  static List<RoutingDecision.Rejection> rejections(Plan plan) {
    return plan.rejections().stream()
        .map(
            rejection ->
                new RoutingDecision.Rejection(
                    rejection.channel().channel(), rejection.reason(), rejection.detail()))
        .toList();
  }

  /** The effective circuit of a channel when the decision was taken. */
  static CircuitStatus circuit(Plan plan, @Nullable ChannelRow row) {
    if (row == null) {
      return CircuitStatus.CLOSED;
    }
    CircuitStatus local = CircuitStatus.CLOSED;
    for (int i = 0; i < plan.size(); i++) {
      if (plan.channel(i).channel().equals(row.channel())) {
        local = plan.local(plan.channelIndex(i)).circuit();
      }
    }
    return row.fleet().circuitAt(plan.decidedAtMs()).worse(local);
  }

  static RoutingDecision event(
      RpcEngine engine,
      RpcTarget target,
      RpcMethod method,
      Plan plan,
      String snapshot,
      List<RoutingDecision.Tried> tried,
      RequestId requestId,
      RoutingDecision.Outcome outcome,
      double totalMs) {
    SelectionRequest request = plan.request();
    List<RoutingDecision.Candidate> candidates = new ArrayList<>();
    List<ChannelRow> channels = plan.routes().channels();
    for (int i = 0; i < channels.size(); i++) {
      Plan.Local local = plan.local(i);
      candidates.add(
          new RoutingDecision.Candidate(
              channels.get(i).channel(),
              local.circuit(),
              local.rateLimitedUntilMs(),
              local.trialsInFlight(),
              local.connected(),
              local.inFlight(),
              local.latencyEwmaMs()));
    }
    return new RoutingDecision(
        engine.region(),
        engine.process(),
        requestId,
        target.profile().profile().slug(),
        target.chain().settings().chainId(),
        plan.decidedAtMs(),
        new RoutingDecision.Facts(
            request.method(),
            request.category(),
            request.replaySafe(),
            request.transport(),
            bound(request.fromBlock()),
            bound(request.toBlock()),
            bound(request.minBlock()),
            request.requiresArchival(),
            request.excludeRateLimited(),
            request.onlyProviders().stream().sorted().toList(),
            request.excluded().stream().sorted().toList(),
            method.deadlineMs(),
            target.options().strategy() != null,
            target.options().provider() != null),
        request.strategy(),
        plan.seed(),
        engine.selectionNumbers(),
        snapshot,
        candidates,
        rejections(plan),
        plan.channels().stream().map(ChannelRow::channel).toList(),
        plan.degraded(),
        tried,
        outcome,
        totalMs);
  }

  private static @Nullable Long bound(long block) {
    return block == SelectionRequest.UNBOUND ? null : block;
  }
}
