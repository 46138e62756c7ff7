package dev.lasso.engine.pipeline;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.engine.upstream.ResultStream;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.engine.upstream.UpstreamRequest;
import dev.lasso.routing.Channel;
import dev.lasso.routing.errors.TxRejections;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Plan;
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
  private final RpcCall call;
  private final RpcMethod method;
  private final Plan plan;
  private final int pinnedPosition;
  private final Reply reply;
  private final CallRecord record;

  /** How many attempts start at once: more than one for a broadcast transaction. */
  private final int atOnce;

  private final List<Flight> flights = new ArrayList<>(2);
  private int next;
  private int started;
  private boolean maybeSeen;
  private long hedgeTimer = -1;
  private boolean over;
  private Held.@Nullable Null heldNull;
  private @Nullable Held heldError;

  /** Asks a provider whether it has a transaction whose nonce it calls used. */
  private @Nullable UpstreamCall lookup;

  private @Nullable Relay relay;

  /** A large result on its way to the caller. */
  private record Relay(Flight flight, ResultStream stream) {}

  CallRun(
      RpcEngine engine,
      RpcTarget target,
      RpcCall call,
      RpcMethod method,
      Plan plan,
      @Nullable PinnedChannel pinned,
      Reply reply,
      CallRecord record) {
    this.engine = engine;
    this.target = target;
    this.call = call;
    this.method = method;
    this.plan = plan;
    this.reply = reply;
    this.record = record;
    this.pinnedPosition = pinned == null ? 0 : position(plan, pinned);
    this.atOnce =
        RawTransactions.isRawTransaction(method)
            ? target.chain().settings().routing().broadcast()
            : 1;
  }

  /** Position of the pinned channel when it is in the plan, else of the plan's own first. */
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
    for (int i = 0; i < atOnce && !over; i++) {
      attemptNext(false);
    }
    if (!over) {
      scheduleHedge();
    }
  }

  @Override
  public void cancel() {
    Relay relaying = relay;
    if (relaying != null) {
      relay = null;
      relaying.stream().cancel();
      record.ended(relaying.flight(), new AttemptOutcome.Cancelled());
      record.decided(RoutingDecision.Outcome.CANCELLED);
    } else if (!over) {
      finish();
      record.decided(RoutingDecision.Outcome.CANCELLED);
    }
  }

  // ---- attempts

  private boolean mayTryMore() {
    return next < plan.size()
        && started < Math.max(engine.policy().maxAttempts(), atOnce)
        && (method.replaySafe() || !maybeSeen || RawTransactions.isRawTransaction(method));
  }

  /** Starts the next attempt of the plan; ends the call when there is none and none is running. */
  private void attemptNext(boolean hedge) {
    while (mayTryMore()) {
      long remainingMs = record.remainingMs();
      if (remainingMs < 1) {
        break;
      }
      ChannelRow row = rowAt(next++);
      Upstream upstream = upstream(row);
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

  private @Nullable Upstream upstream(ChannelRow row) {
    ProviderEndpoint endpoint = target.chain().endpoints().get(row.channel().provider());
    return endpoint == null ? null : engine.upstreams().of(endpoint, row.channel().transport());
  }

  private void fly(Flight flight, Upstream upstream, long remainingMs) {
    flights.add(flight);
    long shareMs = (long) (method.deadlineMs() * engine.policy().attemptShare());
    long timeoutMs = mayTryMore() ? Math.clamp(shareMs, 1, remainingMs) : remainingMs;
    flight.call =
        upstream.call(
            new UpstreamRequest(call, timeoutMs, method.replaySafe()),
            outcome -> landed(flight, outcome));
  }

  private void landed(Flight flight, UpstreamOutcome outcome) {
    if (!flights.remove(flight)) {
      return;
    }
    if (over) {
      afterwards(flight, outcome);
      return;
    }
    switch (outcome) {
      case UpstreamOutcome.Result(JsonSlice result) -> succeeded(flight, result);
      case UpstreamOutcome.Streaming(ResultStream stream) -> streaming(flight, stream);
      case UpstreamOutcome.Refused refused -> refused(flight, refused);
      case UpstreamOutcome.Failed failed -> {
        maybeSeen |= failed.sent();
        record.ended(flight, Failures.of(failed.fault()));
        tryOn();
      }
    }
  }

  /** The rest of a broadcast, after its answer was given. */
  private void afterwards(Flight flight, UpstreamOutcome outcome) {
    AttemptOutcome ended =
        switch (outcome) {
          case UpstreamOutcome.Result _ -> new AttemptOutcome.Success();
          case UpstreamOutcome.Streaming(ResultStream stream) -> {
            stream.cancel();
            yield new AttemptOutcome.Success();
          }
          case UpstreamOutcome.Refused refused -> failure(flight, refused);
          case UpstreamOutcome.Failed failed -> Failures.of(failed.fault());
        };
    record.ended(flight, ended);
  }

  private void tryOn() {
    if (!flights.isEmpty()) {
      return;
    }
    if (atOnce > 1 && heldError instanceof Held.ProviderError) {
      exhausted(); // everybody was asked, and somebody said why not
    } else {
      attemptNext(false);
    }
  }

  private void succeeded(Flight flight, JsonSlice result) {
    double latencyMs = record.ended(flight, new AttemptOutcome.Success());
    if (result.isNull() && worthAskingAgain()) {
      heldNull = new Held.Null(flight, result, latencyMs);
      tryOn();
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
    finish();
    double latencyMs = CallRecord.msSince(flight.startedNs);
    relay = new Relay(flight, stream);
    new StreamRelay(reply.stream(record.info(200, flight, latencyMs)), stream)
        .run(broken -> relayed(flight, broken, latencyMs));
  }

  /**
   * @param latencyMs the time to the first bytes: what the provider is measured by, not its
   *     reader's speed
   */
  private void relayed(Flight flight, @Nullable TransportFault broken, double latencyMs) {
    if (relay == null) {
      return;
    }
    relay = null;
    if (broken == null) {
      record.ended(flight, new AttemptOutcome.Success(), latencyMs);
      record.decided(RoutingDecision.Outcome.ANSWERED);
    } else {
      record.ended(flight, Failures.of(broken), latencyMs);
      record.decided(RoutingDecision.Outcome.EXHAUSTED);
    }
  }

  private AttemptOutcome.Failure failure(Flight flight, UpstreamOutcome.Refused refused) {
    return engine.failures().of(target.chain(), flight.row.channel().provider(), refused);
  }

  private void refused(Flight flight, UpstreamOutcome.Refused refused) {
    AttemptOutcome.Failure failure = failure(flight, refused);
    double latencyMs = record.ended(flight, failure);
    maybeSeen |= !Failures.clearlyRefused(failure);
    ScannedAnswer.RpcError error = refused.answer();
    if (error != null && transactionKnown(flight, error, failure, latencyMs)) {
      return;
    }
    switch (failure.errorClass().failover()) {
      case FINAL -> {
        if (error != null && (atOnce == 1 || flights.isEmpty())) {
          answerError(flight, error, latencyMs);
          return;
        }
        // words without a JSON-RPC error may be a gateway's in front of the node
        hold(flight, error, failure, latencyMs);
      }
      case CONFIRM -> {
        if (error != null && confirmed(error)) {
          answerError(flight, error, latencyMs);
          return;
        }
        hold(flight, error, null, latencyMs);
      }
      case NEXT -> {
        if (Failures.tellsTheCaller(failure.errorClass())) {
          hold(flight, error, null, latencyMs);
        }
      }
    }
    tryOn();
  }

  /** Whether an earlier provider gave an error with the same code. */
  private boolean confirmed(ScannedAnswer.RpcError error) {
    return heldError
            instanceof Held.ProviderError(Flight _, ScannedAnswer.RpcError earlier, double _)
        && Objects.equals(earlier.code(), error.code());
  }

  private void hold(
      Flight flight,
      ScannedAnswer.@Nullable RpcError error,
      AttemptOutcome.@Nullable Failure refusal,
      double latencyMs) {
    if (error != null && !(heldError instanceof Held.ProviderError)) {
      heldError = new Held.ProviderError(flight, error, latencyMs);
    } else if (refusal != null && heldError == null) {
      heldError =
          new Held.Refusal(
              flight,
              Failures.code(refusal.errorClass()),
              "The provider refused the request: " + refusal.message(),
              latencyMs);
    }
  }

  // ---- transactions

  /**
   * Answers with the transaction's hash when the provider has it, perhaps after asking.
   *
   * @return whether the call is answered, or will be
   */
  private boolean transactionKnown(
      Flight flight,
      ScannedAnswer.RpcError error,
      AttemptOutcome.Failure failure,
      double latencyMs) {
    TxRejections.Meaning meaning = RawTransactions.meaning(method, failure);
    JsonSlice hash = meaning == null ? null : RawTransactions.hash(call.params());
    if (meaning == null || hash == null) {
      return false;
    }
    return switch (meaning) {
      case ALREADY_KNOWN -> {
        answerResult(flight, hash, latencyMs);
        yield true;
      }
      case NONCE_TOO_LOW -> lookUp(flight, error, hash, latencyMs);
    };
  }

  /** The nonce is used: by this very transaction, if the provider knows it. */
  private boolean lookUp(
      Flight flight, ScannedAnswer.RpcError error, JsonSlice hash, double latencyMs) {
    Upstream upstream = upstream(flight.row);
    long remainingMs = record.remainingMs();
    if (upstream == null || remainingMs < 1 || lookup != null || !flights.isEmpty()) {
      return false;
    }
    RpcCall question = RpcCall.of("eth_getTransactionByHash", "[" + hash + "]");
    lookup =
        upstream.call(
            new UpstreamRequest(question, remainingMs, true),
            outcome -> {
              lookup = null;
              if (over) {
                return;
              }
              if (outcome instanceof UpstreamOutcome.Result(JsonSlice found) && !found.isNull()) {
                answerResult(flight, hash, latencyMs);
              } else {
                answerError(flight, error, latencyMs);
              }
            });
    return true;
  }

  // ---- hedging

  private void scheduleHedge() {
    engine.hedges().earn();
    if (!method.replaySafe() || next >= plan.size()) {
      return;
    }
    long delayMs = engine.hedgeDelayMs(target.chain(), plan, method);
    if (plan.trial() && pinnedPosition == 0) {
      long followMs = engine.policy().trialFollowMs();
      delayMs = delayMs < 0 ? followMs : Math.min(delayMs, followMs);
    }
    if (delayMs < 0 || delayMs >= method.deadlineMs()) {
      return;
    }
    hedgeTimer = engine.vertx().setTimer(Math.max(delayMs, 1), _ -> hedge());
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
    reply.result(result, record.info(200, flight, latencyMs));
    record.decided(RoutingDecision.Outcome.ANSWERED);
  }

  private void answerError(Flight flight, ScannedAnswer.RpcError error, double latencyMs) {
    finish();
    reply.error(error, record.info(200, flight, latencyMs));
    record.decided(RoutingDecision.Outcome.ANSWERED_ERROR);
  }

  /** Nothing is left to try: what was held back is the answer, or nobody could serve. */
  private void exhausted() {
    switch (heldNull == null ? heldError : heldNull) {
      case Held.Null(Flight flight, JsonSlice result, double latencyMs) ->
          answerResult(flight, result, latencyMs);
      case Held.ProviderError(Flight flight, ScannedAnswer.RpcError error, double latencyMs) ->
          answerError(flight, error, latencyMs);
      case Held.Refusal(Flight flight, int code, String message, double latencyMs) -> {
        finish();
        reply.fault(code, message, null, record.info(200, flight, latencyMs));
        record.decided(RoutingDecision.Outcome.ANSWERED_ERROR);
      }
      case null -> {
        finish();
        AnswerInfo info = record.info(503, null, 0);
        reply.fault(
            RpcFault.SERVER_ERROR,
            Exhausted.message(plan, record.tried()),
            Exhausted.data(info),
            info);
        record.decided(RoutingDecision.Outcome.EXHAUSTED);
      }
    }
  }

  private void finish() {
    over = true;
    cancelHedgeTimer();
    if (lookup != null) {
      lookup.cancel();
      lookup = null;
    }
    if (atOnce > 1) {
      return; // a broadcast reaches everybody, answered or not
    }
    for (Flight flight : flights) {
      if (flight.call != null) {
        flight.call.cancel();
      }
      record.ended(flight, new AttemptOutcome.Cancelled());
    }
    flights.clear();
  }
}
