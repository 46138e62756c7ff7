package dev.lasso.engine.pipeline;

import dev.lasso.routing.RequestId;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.event.RoutingDecision.Tried;
import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.snapshot.SnapshotPosition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one call so far: tells the process's local state and the observer of every
 * attempt, and describes answer and decision. Confined to the call's event loop.
 */
final class CallRecord {
  private final RpcEngine engine;
  private final RpcTarget target;
  private final RpcMethod method;
  private final Plan plan;
  private final RequestId requestId;
  private final SnapshotPosition snapshot;
  private final long startedNs;
  private final long decidedNs = System.nanoTime();
  private final List<Tried> tried = new ArrayList<>(2);
  private @Nullable Long retryAfterMs;

  CallRecord(
      RpcEngine engine,
      RpcTarget target,
      RpcMethod method,
      Plan plan,
      RequestId requestId,
      SnapshotPosition snapshot,
      long startedNs) {
    this.engine = engine;
    this.target = target;
    this.method = method;
    this.plan = plan;
    this.requestId = requestId;
    this.snapshot = snapshot;
    this.startedNs = startedNs;
  }

  List<Tried> tried() {
    return tried;
  }

  /** What is left of the method's deadline. */
  long remainingMs() {
    return method.deadlineMs() - (System.nanoTime() - startedNs) / 1_000_000;
  }

  /** An attempt ended now; returns how long it took, in milliseconds. */
  double ended(Flight flight, AttemptOutcome outcome) {
    return ended(flight, outcome, msSince(flight.startedNs));
  }

  /** An attempt ended, and is to be measured by the given time. */
  double ended(Flight flight, AttemptOutcome outcome, double latencyMs) {
    ChannelRow row = flight.row;
    long nowMs = engine.nowMs();
    engine.local().ended(row.endpoint(), outcome, latencyMs, flight.trial, nowMs);
    tried.add(
        new Tried(
            row.channel(), (flight.startedNs - decidedNs) / 1e6, latencyMs, outcome, flight.hedge));
    engine
        .observer()
        .attempted(
            engine.attempt(
                target,
                row.channel(),
                method,
                requestId,
                nowMs,
                latencyMs,
                outcome,
                plan.request().blockRange()));
    if (outcome instanceof AttemptOutcome.Failure failure) {
      noteRetryAfter(failure.retryAfterMs());
    }
    return latencyMs;
  }

  private void noteRetryAfter(@Nullable Long toldMs) {
    if (toldMs != null && (retryAfterMs == null || toldMs < retryAfterMs)) {
      retryAfterMs = toldMs;
    }
  }

  /** The call ended. */
  void decided(RoutingDecision.Outcome outcome) {
    double totalMs = msSince(startedNs);
    List<Tried> attempts = List.copyOf(tried);
    engine
        .observer()
        .decided(
            outcome == RoutingDecision.Outcome.EXHAUSTED,
            () ->
                Decisions.event(
                    engine,
                    target,
                    method,
                    plan,
                    snapshot.toString(),
                    attempts,
                    requestId,
                    outcome,
                    totalMs));
  }

  /**
   * Describes the answer.
   *
   * @param status its HTTP status
   * @param flight the attempt that gave it, or null for none
   * @param upstreamMs how long that attempt took
   */
  AnswerInfo info(int status, @Nullable Flight flight, double upstreamMs) {
    return new AnswerInfo(
        status,
        requestId,
        target.profile().profile().slug().value(),
        target.chain().settings().key().value(),
        plan.request().strategy(),
        plan.size(),
        flight == null ? null : flight.row,
        List.copyOf(tried),
        status == 200 && !Decisions.wantsMetadata(target) ? List.of() : Decisions.rejections(plan),
        Decisions.circuit(plan, flight == null ? null : flight.row),
        plan.degraded(),
        (decidedNs - startedNs) / 1e6,
        upstreamMs,
        msSince(startedNs),
        retryAfterMs);
  }

  static double msSince(long ns) {
    return (System.nanoTime() - ns) / 1e6;
  }
}
