package dev.lasso.engine.pipeline;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.snapshot.SnapshotPosition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one call: its attempts in the order they ended, told to the process's own state
 * of each endpoint and to the observer, and put into words for the caller. Owned by its {@link
 * CallRun}, on its event loop.
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
  private final List<RoutingDecision.Tried> tried = new ArrayList<>(2);

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

  static double msSince(long ns) {
    return (System.nanoTime() - ns) / 1e6;
  }

  /** Milliseconds left of the method's deadline. */
  long remainingMs() {
    return method.deadlineMs() - (System.nanoTime() - startedNs) / 1_000_000;
  }

  /** An attempt ended now. Returns how long it took, milliseconds. */
  double ended(Flight flight, AttemptOutcome outcome) {
    double latencyMs = msSince(flight.startedNs);
    ended(flight, outcome, latencyMs);
    return latencyMs;
  }

  /** An attempt ended; the given latency is what its provider is measured by. */
  void ended(Flight flight, AttemptOutcome outcome, double latencyMs) {
    long nowMs = engine.nowMs();
    flight.admitted.ended(outcome, latencyMs, nowMs);
    tried.add(tried(flight, outcome, latencyMs));
    engine
        .observer()
        .attempted(
            engine.attempt(
                target,
                flight.row.channel(),
                method,
                requestId,
                nowMs,
                latencyMs,
                outcome,
                plan.request().blockRange()));
  }

  private RoutingDecision.Tried tried(Flight flight, AttemptOutcome outcome, double latencyMs) {
    return new RoutingDecision.Tried(
        flight.row.channel(),
        (flight.startedNs - decidedNs) / 1e6,
        latencyMs,
        outcome,
        flight.hedge);
  }

  /** The call ended. */
  void decided(RoutingDecision.Outcome outcome) {
    double totalMs = msSince(startedNs);
    // the event is made on another thread, while a broadcast may still go on here
    List<RoutingDecision.Tried> attempts = List.copyOf(tried);
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

  /** Describes an answer of a provider. */
  AnswerInfo answeredBy(Flight flight, double upstreamMs) {
    return info(200, flight, List.copyOf(tried), upstreamMs, null);
  }

  /** Describes an answer whose result is still on its way: the attempt counts as good so far. */
  AnswerInfo streamedBy(Flight flight, double upstreamMs) {
    List<RoutingDecision.Tried> attempts = new ArrayList<>(tried);
    attempts.add(tried(flight, new AttemptOutcome.Success(), upstreamMs));
    return info(200, flight, List.copyOf(attempts), upstreamMs, null);
  }

  /** Describes the answer that nobody could serve. */
  AnswerInfo exhausted() {
    return info(503, null, List.copyOf(tried), 0, retryAfterMs());
  }

  private AnswerInfo info(
      int status,
      @Nullable Flight flight,
      List<RoutingDecision.Tried> attempts,
      double upstreamMs,
      @Nullable Long retryAfterMs) {
    ChannelRow served = flight == null ? null : flight.row;
    return new AnswerInfo(
        status,
        requestId,
        target.profile().profile().slug().value(),
        target.chain().settings().key().value(),
        plan.request().strategy(),
        plan.size(),
        served,
        attempts,
        status == 200 && !Decisions.wantsMetadata(target) ? List.of() : Decisions.rejections(plan),
        served == null ? CircuitStatus.CLOSED : Decisions.circuit(plan, served),
        plan.degraded(),
        (decidedNs - startedNs) / 1e6,
        upstreamMs,
        msSince(startedNs),
        retryAfterMs);
  }

  /**
   * When the first channel that rests may be asked again, from now in milliseconds: what providers
   * asked for, and what circuits and rate limits prescribe. Null when none rests.
   */
  private @Nullable Long retryAfterMs() {
    long nowMs = engine.nowMs();
    long earliestMs = Long.MAX_VALUE;
    for (ChannelRow row : plan.channels()) {
      earliestMs = Math.min(earliestMs, restsUntilMs(row, nowMs));
    }
    for (Plan.Rejection rejection : plan.rejections()) {
      if (restsForAWhile(rejection.reason())) {
        earliestMs = Math.min(earliestMs, restsUntilMs(rejection.channel(), nowMs));
      }
    }
    for (RoutingDecision.Tried attempt : tried) {
      if (attempt.outcome() instanceof AttemptOutcome.Failure failure
          && failure.errorClass().cooldown() != ErrorClass.Cooldown.NONE
          && failure.retryAfterMs() != null) {
        earliestMs = Math.min(earliestMs, nowMs + failure.retryAfterMs());
      }
    }
    return earliestMs == Long.MAX_VALUE ? null : Math.max(1, earliestMs - nowMs);
  }

  private long restsUntilMs(ChannelRow row, long nowMs) {
    long fleetCircuitMs =
        row.fleet().circuitAt(nowMs) == CircuitStatus.OPEN ? row.fleet().openUntilMs() : 0;
    long untilMs =
        Math.max(
            engine.local().restsUntilMs(row.endpoint(), nowMs),
            Math.max(fleetCircuitMs, row.fleet().rateLimitedUntilMs()));
    return untilMs > nowMs ? untilMs : Long.MAX_VALUE;
  }

  private static boolean restsForAWhile(RejectionReason reason) {
    return switch (reason) {
      case CIRCUIT_OPEN, RATE_LIMITED -> true;
      case NO_TRANSPORT,
          WS_DOWN,
          HALF_OPEN_BUSY,
          LAGGING,
          NOT_ARCHIVAL,
          EXCLUDED,
          CAPABILITY,
          CHAIN_MISMATCH ->
          false;
    };
  }

  List<RoutingDecision.Tried> tried() {
    return tried;
  }
}
