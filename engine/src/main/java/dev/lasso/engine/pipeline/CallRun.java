package dev.lasso.engine.pipeline;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.engine.upstream.ResultStream;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.engine.upstream.UpstreamRequest;
import dev.lasso.routing.Channel;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.snapshot.SnapshotPosition;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call from admission to answer: attempts along its plan, fails over, hedges, and answers once.
 * Confined to the event loop that it was started on.
 */
final class CallRun implements RunningCall {
  private final RpcEngine engine;
  private final RpcTarget target;
  private final RequestEnvelope envelope;
  private final JsonSlice id;
  private final RpcMethod method;
  private final AnswerSink sink;
  private final RequestId requestId;
  private final SnapshotPosition snapshot;
  private final long startedNs;
  private final List<Flight> flights = new ArrayList<>(2);
  private final List<RoutingDecision.Tried> tried = new ArrayList<>(2);
  private final Plan plan;
  private final long decidedNs;
  private final int pinnedPosition;
  private int next;
  private int started;
  private long hedgeTimer = -1;
  private boolean over;

  /** A null that another provider may contradict, with the channel it came from. */
  private @Nullable HeldAnswer heldNull;

  /** An error that is the answer unless a later attempt gives a better one. */
  private @Nullable HeldAnswer heldError;

  private @Nullable Long retryAfterMs;

  /** A large result on its way to the caller. */
  private @Nullable ResultStream running;

  /** An answer that is kept back while another attempt may better it. */
  private record HeldAnswer(
      Flight flight, JsonSlice result, ScannedAnswer.@Nullable RpcError error, double latencyMs) {}

  CallRun(
      RpcEngine engine,
      RpcTarget target,
      RequestEnvelope envelope,
      JsonSlice id,
      RpcMethod method,
      Plan plan,
      @Nullable PinnedChannel pinned,
      AnswerSink sink,
      RequestId requestId,
      SnapshotPosition snapshot,
      long startedNs) {
    this.engine = engine;
    this.target = target;
    this.envelope = envelope;
    this.id = id;
    this.method = method;
    this.plan = plan;
    this.sink = sink;
    this.requestId = requestId;
    this.snapshot = snapshot;
    this.startedNs = startedNs;
    this.decidedNs = System.nanoTime();
    this.pinnedPosition = pinned == null ? 0 : position(plan, pinned);
  }

  /**
   * Position of the pinned channel where it may come first: in the plan, and no worse than the
   * plan's own first.
   */
  private static int position(Plan plan, PinnedChannel pinned) {
    if (plan.isEmpty()) {
      return 0;
    }
    Channel channel = pinned.pin(plan.channel(0).channel());
    for (int i = 0; i < plan.size(); i++) {
      if (plan.channel(i).channel().equals(channel)) {
        return i;
      }
    }
    return 0;
  }

  private ChannelRow rowAt(int index) {
    if (pinnedPosition == 0 || index > pinnedPosition) {
      return plan.channel(index);
    }
    return plan.channel(index == 0 ? pinnedPosition : index - 1);
  }

  void start() {
    if (plan.isEmpty()) {
      exhausted();
      return;
    }
    attemptNext(false);
    if (!over) {
      scheduleHedge();
    }
  }

  @Override
  public void cancel() {
    if (!over) {
      over = true;
      dropFlights();
      decided(RoutingDecision.Outcome.CANCELLED);
    }
  }

  // ---- attempts

  private boolean mayTryMore() {
    return next < plan.size()
        && started < engine.policy().maxAttempts()
        && (method.replaySafe() || started == 0 || repeatable());
  }

  /** Whether a call that is not replay-safe may still go to another provider. */
  private boolean repeatable() {
    return RawTransactions.isRawTransaction(method) || !mayHaveBeenSeen();
  }

  private boolean mayHaveBeenSeen() {
    return tried.stream().anyMatch(attempt -> !clearlyRefused(attempt.outcome()));
  }

  /** Whether the provider certainly did nothing with the request. */
  private static boolean clearlyRefused(AttemptOutcome outcome) {
    return outcome instanceof AttemptOutcome.Failure failure
        && switch (failure.errorClass()) {
          case RATE_LIMIT,
              QUOTA_EXCEEDED,
              UNAUTHORIZED,
              METHOD_NOT_FOUND,
              METHOD_UNSUPPORTED,
              CAPABILITY_VIOLATION ->
              true;
          case NETWORK_ERROR ->
              failure.message().equals(TransportFault.REFUSED.words())
                  || failure.message().equals(TransportFault.UNKNOWN_HOST.words());
          case SERVER_ERROR -> failure.httpStatus() != null && failure.httpStatus() == 503;
          default -> false;
        };
  }

  private long remainingMs() {
    return method.deadlineMs() - (System.nanoTime() - startedNs) / 1_000_000;
  }

  /** Starts the next attempt of the plan; ends the call when there is none. */
  private void attemptNext(boolean hedge) {
    while (mayTryMore()) {
      long remainingMs = remainingMs();
      if (remainingMs < 1) {
        break;
      }
      ChannelRow row = rowAt(next++);
      ProviderEndpoint endpoint = target.chain().endpoints().get(row.channel().provider());
      Upstream upstream =
          endpoint == null ? null : engine.upstreams().of(endpoint, row.channel().transport());
      if (upstream == null) {
        continue;
      }
      LocalEndpoints.Admission admission =
          engine.local().admit(row.endpoint(), row.fleet(), engine.nowMs());
      if (!admission.admitted()) {
        continue;
      }
      started++;
      fly(new Flight(row, System.nanoTime(), hedge, admission.trial()), upstream, remainingMs);
      return;
    }
    if (flights.isEmpty()) {
      exhausted();
    }
  }

  private void fly(Flight flight, Upstream upstream, long remainingMs) {
    flights.add(flight);
    long timeoutMs =
        mayTryMore()
            ? Math.max(
                1,
                Math.min(
                    remainingMs, (long) (method.deadlineMs() * engine.policy().attemptShare())))
            : remainingMs;
    flight.call =
        upstream.call(
            new UpstreamRequest(envelope.call(), timeoutMs, method.replaySafe()),
            outcome -> landed(flight, outcome));
  }

  private void landed(Flight flight, UpstreamOutcome outcome) {
    if (over || !flights.remove(flight)) {
      return;
    }
    switch (outcome) {
      case UpstreamOutcome.Result(JsonSlice result) -> succeeded(flight, result);
      case UpstreamOutcome.Streaming(ResultStream stream) -> streaming(flight, stream);
      case UpstreamOutcome.Refused refused -> refused(flight, refused);
      case UpstreamOutcome.Failed(TransportFault fault, boolean _) -> failed(flight, fault);
    }
  }

  private void succeeded(Flight flight, JsonSlice result) {
    double latencyMs = ended(flight, new AttemptOutcome.Success());
    if (result.isNull() && worthAskingAgain()) {
      heldNull = new HeldAnswer(flight, result, null, latencyMs);
      if (flights.isEmpty()) {
        attemptNext(false);
      }
      return;
    }
    answerResult(flight, result, latencyMs);
  }

  /**
   * A null for something that another provider may have is asked for once more before it is
   * believed.
   */
  private boolean worthAskingAgain() {
    return method.mayBeNull()
        && heldNull == null
        && target.chain().settings().routing().recheckNull()
        && (!flights.isEmpty() || mayTryMore());
  }

  private void streaming(Flight flight, ResultStream stream) {
    over = true;
    cancelHedgeTimer();
    dropFlights();
    double latencyMs = msSince(flight.startedNs);
    AnswerInfo info = info(200, flight, latencyMs);
    new StreamRelay(sink.stream(Answers.resultHead(id), info), stream)
        .run(
            broken -> {
              AttemptOutcome outcome =
                  broken == null
                      ? new AttemptOutcome.Success()
                      : failure(broken.errorClass(), null, null, broken.words(), null);
              // the time to the first bytes is what the provider is measured by, not its reader's
              // speed
              ended(flight, outcome, latencyMs);
              decided(
                  broken == null
                      ? RoutingDecision.Outcome.ANSWERED
                      : RoutingDecision.Outcome.EXHAUSTED);
            });
    running = stream;
  }

  private void refused(Flight flight, UpstreamOutcome.Refused refused) {
    AttemptOutcome.Failure failure =
        engine.failures().of(target.chain(), flight.row.channel().provider(), refused);
    double latencyMs = ended(flight, failure);
    noteRetryAfter(failure);
    ScannedAnswer.RpcError error = refused.answer();
    if (error != null && RawTransactions.alreadyKnown(method, failure)) {
      JsonSlice hash = RawTransactions.hash(envelope.call().params());
      if (hash != null) {
        answerResult(flight, hash, latencyMs);
        return;
      }
    }
    switch (failure.errorClass().failover()) {
      case FINAL -> {
        if (error != null) {
          answerError(flight, error, latencyMs);
          return;
        }
      }
      case CONFIRM -> {
        if (error != null && confirmed(error)) {
          answerError(flight, error, latencyMs);
          return;
        }
        hold(flight, error, latencyMs);
      }
      case NEXT -> {
        if (tellsTheCaller(failure.errorClass())) {
          hold(flight, error, latencyMs);
        }
      }
    }
    if (flights.isEmpty()) {
      attemptNext(false);
    }
  }

  /** Whether an earlier provider gave an error with the same code. */
  private boolean confirmed(ScannedAnswer.RpcError error) {
    HeldAnswer earlier = heldError;
    return earlier != null
        && earlier.error != null
        && Objects.equals(earlier.error.code(), error.code());
  }

  private void hold(Flight flight, ScannedAnswer.@Nullable RpcError error, double latencyMs) {
    if (error != null && heldError == null) {
      heldError = new HeldAnswer(flight, JsonSlice.NULL, error, latencyMs);
    }
  }

  /**
   * Whether a provider's own words about this are more use to the caller than "nobody could serve".
   */
  private static boolean tellsTheCaller(ErrorClass errorClass) {
    return switch (errorClass) {
      case METHOD_NOT_FOUND,
          METHOD_UNSUPPORTED,
          CAPABILITY_VIOLATION,
          RANGE_TOO_LARGE,
          RESPONSE_TOO_LARGE,
          BLOCK_NOT_FOUND,
          MISSING_DATA ->
          true;
      default -> errorClass.failover() != ErrorClass.Failover.NEXT;
    };
  }

  private void failed(Flight flight, TransportFault fault) {
    AttemptOutcome outcome =
        fault.errorClass() == null
            ? new AttemptOutcome.Cancelled()
            : failure(fault.errorClass(), null, null, fault.words(), null);
    ended(flight, outcome);
    if (flights.isEmpty()) {
      attemptNext(false);
    }
  }

  private static AttemptOutcome.Failure failure(
      @Nullable ErrorClass errorClass,
      @Nullable Integer code,
      @Nullable Integer status,
      String message,
      @Nullable Long retryAfterMs) {
    return new AttemptOutcome.Failure(
        errorClass == null ? ErrorClass.NETWORK_ERROR : errorClass,
        code,
        status,
        message,
        retryAfterMs);
  }

  private void noteRetryAfter(AttemptOutcome.Failure failure) {
    Long told = failure.retryAfterMs();
    if (told != null && (retryAfterMs == null || told < retryAfterMs)) {
      retryAfterMs = told;
    }
  }

  // ---- hedging

  private void scheduleHedge() {
    engine.hedges().earn();
    if (!method.replaySafe() || next >= plan.size()) {
      return;
    }
    long delayMs = engine.hedgeDelayMs(target.chain(), plan, method);
    if (plan.trial() && pinnedPosition == 0) {
      delayMs =
          delayMs < 0
              ? engine.policy().trialFollowMs()
              : Math.min(delayMs, engine.policy().trialFollowMs());
    }
    if (delayMs < 0 || delayMs >= method.deadlineMs()) {
      return;
    }
    hedgeTimer = engine.vertx().setTimer(delayMs, _ -> hedge());
  }

  private void hedge() {
    hedgeTimer = -1;
    if (!over && flights.size() == 1 && started == 1 && (plan.trial() || engine.hedges().spend())) {
      attemptNext(true);
    }
  }

  private void cancelHedgeTimer() {
    if (hedgeTimer >= 0) {
      engine.vertx().cancelTimer(hedgeTimer);
      hedgeTimer = -1;
    }
  }

  // ---- endings

  private void answerResult(Flight flight, JsonSlice result, double latencyMs) {
    finish();
    sink.answer(Answers.result(id, result), info(200, flight, latencyMs));
    decided(RoutingDecision.Outcome.ANSWERED);
  }

  private void answerError(Flight flight, ScannedAnswer.RpcError error, double latencyMs) {
    finish();
    sink.answer(Answers.appendError(Buffer.buffer(256), id, error), info(200, flight, latencyMs));
    decided(RoutingDecision.Outcome.ANSWERED_ERROR);
  }

  /** Nothing is left to try: what was held back is the answer, or nobody could serve. */
  private void exhausted() {
    HeldAnswer held = heldNull == null ? heldError : heldNull;
    if (held != null) {
      ScannedAnswer.RpcError error = held.error();
      if (error == null) {
        answerResult(held.flight(), held.result(), held.latencyMs());
      } else {
        answerError(held.flight(), error, held.latencyMs());
      }
      return;
    }
    finish();
    AnswerInfo info = info(503, null, 0);
    sink.answer(
        Answers.error(
            id, RpcFault.SERVER_ERROR, Exhausted.message(plan, tried), Exhausted.data(info)),
        info);
    decided(RoutingDecision.Outcome.EXHAUSTED);
  }

  private void finish() {
    over = true;
    cancelHedgeTimer();
    dropFlights();
  }

  private void dropFlights() {
    if (running != null) {
      running.cancel();
    }
    for (Flight flight : flights) {
      if (flight.call != null) {
        flight.call.cancel();
      }
      ended(flight, new AttemptOutcome.Cancelled());
    }
    flights.clear();
  }

  // ---- observations

  private double ended(Flight flight, AttemptOutcome outcome) {
    return ended(flight, outcome, msSince(flight.startedNs));
  }

  private double ended(Flight flight, AttemptOutcome outcome, double latencyMs) {
    ChannelRow row = flight.row;
    long nowMs = engine.nowMs();
    engine.local().ended(row.endpoint(), outcome, latencyMs, flight.trial, nowMs);
    tried.add(
        new RoutingDecision.Tried(
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
    return latencyMs;
  }

  private void decided(RoutingDecision.Outcome outcome) {
    double totalMs = msSince(startedNs);
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
                    tried,
                    requestId,
                    outcome,
                    totalMs));
  }

  private AnswerInfo info(int status, @Nullable Flight flight, double upstreamMs) {
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

  private static double msSince(long ns) {
    return (System.nanoTime() - ns) / 1e6;
  }
}
