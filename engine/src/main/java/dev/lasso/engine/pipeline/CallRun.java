package dev.lasso.engine.pipeline;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.engine.upstream.ResultStream;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.engine.upstream.UpstreamRequest;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.facts.MethodCategory;
import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Plan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call from admission to answer: attempts along its plan, fails over, hedges, and answers once.
 * Confined to the event loop that it was started on.
 */
final class CallRun implements RunningCall, Hedging.Hedged {
  private static final Logger log = LoggerFactory.getLogger(CallRun.class);

  /** A height further ahead of what the fleet agrees on is a mistake or a lie: no promise. */
  private static final long PLAUSIBLE_LEAD_BLOCKS = 512;

  private final RpcEngine engine;
  private final RpcTarget target;
  private final RpcCall call;
  private final RpcMethod method;
  private final Plan plan;
  private final ChannelOrder order;
  private final Untried untried;
  private final Reply reply;
  private final CallRecord record;
  private final List<Flight> flights = new ArrayList<>(2);
  private final HeldBack held = new HeldBack();
  private final NonceLookUp nonce = new NonceLookUp();
  private @Nullable Hedging hedging;
  private int started;

  /** Whether a provider may have acted on the request, so that sending it again might repeat it. */
  private boolean maybeSeen;

  /** The sink has its answer, or the beginning of one, or nobody waits for it. */
  private boolean over;

  /** The reply has been called. */
  private boolean answered;

  /** A large result on its way to the caller. */
  private @Nullable StreamedAnswer streamed;

  CallRun(
      RpcEngine engine,
      RpcTarget target,
      RpcCall call,
      RpcMethod method,
      Plan plan,
      ChannelOrder order,
      Reply reply,
      CallRecord record) {
    this.engine = engine;
    this.target = target;
    this.call = call;
    this.method = method;
    this.plan = plan;
    this.order = order;
    this.untried = new Untried(order);
    this.reply = reply;
    this.record = record;
  }

  void start() {
    guarded(
        () -> {
          attemptNext(false);
          for (int i = 1; i < width() && !over; i++) {
            attemptNext(false);
          }
          if (!over) {
            hedging = Hedging.start(engine, target, method, plan, order, this);
          }
        });
  }

  /** Channels that the request is sent to at once. */
  private int width() {
    return RawTransactions.isRawTransaction(method)
        ? Math.min(target.chain().settings().routing().broadcast(), plan.size())
        : 1;
  }

  @Override
  public void cancel() {
    if (streamed != null) {
      streamed.cancel();
    } else if (!over) {
      answered = true; // nobody waits
      finish();
      dropFlights();
      record.decided(RoutingDecision.Outcome.CANCELLED);
    }
  }

  // ---- attempts

  @Override
  public boolean waits() {
    return !over && flights.size() == started && !held.hasNull();
  }

  @Override
  public long remainingMs() {
    return record.remainingMs();
  }

  @Override
  public void hedge() {
    guarded(() -> attemptNext(true));
  }

  @Override
  public boolean mayTryMore() {
    return !untried.isEmpty()
        && started < Math.max(engine.policy().maxAttempts(), width())
        && (method.replaySafe() || !maybeSeen || RawTransactions.isRawTransaction(method));
  }

  /** Starts the next attempt of the plan; ends the call when there is none and none under way. */
  private void attemptNext(boolean hedge) {
    while (mayTryMore()) {
      long remainingMs = record.remainingMs();
      if (remainingMs < 1) {
        break;
      }
      ChannelRow row = untried.take();
      Upstream upstream = upstream(row);
      if (upstream == null) {
        continue;
      }
      LocalEndpoints.Admitted admitted =
          engine.local().admit(row.endpoint(), row.fleet(), engine.nowMs());
      if (admitted != null) {
        started++;
        fly(new Flight(row, admitted, hedge), upstream, remainingMs);
        return;
      }
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
    long timeoutMs = engine.policy().timeoutMs(method.deadlineMs(), remainingMs, mayTryMore());
    flight.call =
        upstream.call(
            new UpstreamRequest(call, timeoutMs, method.replaySafe()),
            outcome -> landed(flight, outcome));
  }

  private void landed(Flight flight, UpstreamOutcome outcome) {
    if (!flights.remove(flight)) {
      return;
    }
    guarded(
        () -> {
          switch (outcome) {
            case UpstreamOutcome.Result(JsonSlice result) -> succeeded(flight, result);
            case UpstreamOutcome.Streaming(ResultStream stream) -> streaming(flight, stream);
            case UpstreamOutcome.Refused refused -> refused(flight, refused);
            case UpstreamOutcome.Failed(TransportFault fault, boolean sent) ->
                failed(flight, fault, sent);
          }
        });
  }

  /** A mistake of ours must not leave the caller waiting. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      logMistake(method, e);
      if (!answered) {
        answered = true;
        finish();
        dropFlights();
        reply.fault(RpcFault.INTERNAL_ERROR, "Internal error", null, record.exhausted());
      }
    }
  }

  static void logMistake(RpcMethod method, RuntimeException mistake) {
    log.atError()
        .setCause(mistake)
        .addKeyValue("method", method.tag())
        .log("request failed inside the gateway");
  }

  /** After an attempt that gave no answer: the next one, unless another is under way. */
  private void proceed() {
    if (over || !flights.isEmpty()) {
      return;
    }
    // of a broadcast, everybody was asked and somebody said why not
    boolean settled = width() > 1 && held.hasProviderError();
    if (settled) {
      exhausted();
    } else {
      attemptNext(false);
    }
  }

  private void succeeded(Flight flight, JsonSlice result) {
    double latencyMs = record.ended(flight, new AttemptOutcome.Success());
    if (over) {
      return;
    }
    if (result.isNull() && worthWaiting()) {
      held.hold(new Held.Null(flight, result, latencyMs));
      if (flights.isEmpty()) {
        attemptNext(false);
      }
      return;
    }
    noteHeight(flight, result);
    answerResult(flight, result, latencyMs);
  }

  /**
   * A null never beats an answer under way, and one for something that another provider may have is
   * asked for once more before it is believed.
   */
  private boolean worthWaiting() {
    return method.mayBeNull()
        && !held.hasNull()
        && (!flights.isEmpty()
            || (target.chain().settings().routing().recheckNull() && mayTryMore()));
  }

  /** A height told to a caller is a promise: the provider that has it serves what follows. */
  private void noteHeight(Flight flight, JsonSlice result) {
    if (method.category() == MethodCategory.HEAD) {
      long height = LocalAnswers.quantity(result);
      Long consensus = target.chain().routes().consensusHeight();
      boolean plausible = consensus == null || height <= consensus + PLAUSIBLE_LEAD_BLOCKS;
      if (height >= 0 && plausible) {
        engine.local().sawHeight(flight.row.endpoint(), height);
      }
    }
  }

  private void streaming(Flight flight, ResultStream stream) {
    double latencyMs = CallRecord.msSince(flight.startedNs);
    if (over) {
      stream.cancel();
      record.ended(flight, new AttemptOutcome.Cancelled(), latencyMs);
      return;
    }
    finish();
    dropFlights();
    StreamedAnswer answer = new StreamedAnswer(flight, stream, record, latencyMs);
    streamed = answer;
    answered = true;
    answer.run(reply);
  }

  private void refused(Flight flight, UpstreamOutcome.Refused refused) {
    AttemptOutcome.Failure failure =
        engine.failures().of(target.chain(), flight.row.channel().provider(), refused);
    double latencyMs = record.ended(flight, failure);
    maybeSeen |= !Failures.clearlyRefused(failure);
    if (over) {
      return;
    }
    ScannedAnswer.RpcError error = refused.answer();
    if (error == null) {
      held.hold(flight, failure, latencyMs);
      proceed();
      return;
    }
    if (RawTransactions.alreadyKnown(method, failure)) {
      JsonSlice hash = RawTransactions.hash(call.params());
      if (hash != null) {
        answerResult(flight, hash, latencyMs);
        return;
      }
    }
    boolean believed =
        switch (failure.errorClass().failover()) {
          // of a broadcast transaction, another provider may yet say that it has it
          case FINAL -> flights.isEmpty() || !RawTransactions.isRawTransaction(method);
          case CONFIRM -> held.confirms(error);
          case NEXT -> false;
        };
    if (believed) {
      answerError(flight, error, latencyMs);
      return;
    }
    held.hold(new Held.ProviderError(flight, error, latencyMs), failure.errorClass());
    proceed();
  }

  private void failed(Flight flight, TransportFault fault, boolean sent) {
    maybeSeen |= sent;
    record.ended(flight, Failures.of(fault));
    if (fault.errorClass() == ErrorClass.TIMEOUT
        || fault.errorClass() == ErrorClass.NETWORK_ERROR) {
      untried.silent(flight.row.channel().provider());
    }
    proceed();
  }

  // ---- endings

  private void answerResult(Flight flight, JsonSlice result, double latencyMs) {
    finish();
    if (!RawTransactions.isRawTransaction(method)) {
      dropFlights();
    }
    AnswerInfo info = record.answeredBy(flight, latencyMs);
    answered = true;
    reply.result(result, info);
    record.decided(RoutingDecision.Outcome.ANSWERED);
  }

  private void answerError(Flight flight, ScannedAnswer.RpcError error, double latencyMs) {
    boolean asked =
        nonce.ask(
            method,
            call,
            error,
            upstream(flight.row),
            record.remainingMs(),
            hash -> {
              if (over) {
                return;
              }
              if (hash != null) {
                answerResult(flight, hash, latencyMs);
              } else {
                answerError(flight, error, latencyMs);
              }
            });
    if (asked) {
      return;
    }
    finish();
    dropFlights();
    AnswerInfo info = record.answeredBy(flight, latencyMs);
    answered = true;
    reply.error(error, info);
    record.decided(RoutingDecision.Outcome.ANSWERED_ERROR);
  }

  /** Nothing is left to try: what was held back is the answer, or nobody could serve. */
  private void exhausted() {
    switch (held.best()) {
      case Held.Null(Flight flight, JsonSlice result, double latencyMs) ->
          answerResult(flight, result, latencyMs);
      case Held.ProviderError(Flight flight, ScannedAnswer.RpcError error, double latencyMs) ->
          answerError(flight, error, latencyMs);
      case Held.Refusal(Flight flight, int code, String message, double latencyMs) -> {
        finish();
        AnswerInfo info = record.answeredBy(flight, latencyMs);
        answered = true;
        reply.fault(code, message, null, info);
        record.decided(RoutingDecision.Outcome.ANSWERED_ERROR);
      }
      case null -> {
        finish();
        AnswerInfo info = record.exhausted();
        String message = Exhausted.message(plan, record.tried(), record.remainingMs() < 1);
        JsonSlice data = Exhausted.data(info);
        answered = true;
        reply.fault(RpcFault.SERVER_ERROR, message, data, info);
        record.decided(RoutingDecision.Outcome.EXHAUSTED);
      }
    }
  }

  private void finish() {
    over = true;
    if (hedging != null) {
      hedging.stop();
    }
    nonce.stop();
  }

  private void dropFlights() {
    for (Flight flight : flights) {
      flight.giveUp();
      record.ended(flight, new AttemptOutcome.Cancelled());
    }
    flights.clear();
  }
}
