package dev.lasso.engine.pipeline;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.ReadSessions.ReadSession;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestBody.Invalid;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.upstream.UpstreamSource;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.facts.BlockBounds;
import dev.lasso.routing.facts.MethodTable;
import dev.lasso.routing.facts.RequestFacts;
import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.SelectionRequest;
import dev.lasso.routing.select.Selector;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.SnapshotPosition;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The request path on one event loop: give it a call and where to send it, and it answers. Edges
 * (HTTP, WebSocket) parse bodies and paths; this decides, attempts and fails over.
 *
 * <p>One engine for each event loop, made and used on it; only {@link LocalEndpoints} and {@link
 * SharedReads} are shared.
 */
public final class RpcEngine {
  private static final RunningCall ENDED = () -> {};

  private final ProcessContext context;
  private final UpstreamSource upstreams;
  private final LocalEndpoints local;
  private final SharedReads reads;
  private final Context loop;
  private final EngineObserver observer;
  private final EnginePolicy policy;
  private final Selector selector;
  private final Map<String, Double> selectionNumbers;
  private final HedgeBudget hedges;
  private final Failures failures;
  private final @Nullable FilterCalls filters;
  private final SplittableRandom random = new SplittableRandom();

  /** An engine that shares reads with nobody but itself. */
  public RpcEngine(
      ProcessContext context,
      UpstreamSource upstreams,
      LocalEndpoints local,
      EngineObserver observer,
      EnginePolicy policy,
      SelectionPolicy selection) {
    this(context, upstreams, local, SharedReads.of(policy), observer, policy, selection, null);
  }

  /**
   * An engine of a process.
   *
   * @param upstreams the providers as this event loop reaches them
   * @param local shared by the process
   * @param reads shared by the process
   * @param observer told what happens
   * @param filters serves filters, or null where nobody may make one
   */
  public RpcEngine(
      ProcessContext context,
      UpstreamSource upstreams,
      LocalEndpoints local,
      SharedReads reads,
      EngineObserver observer,
      EnginePolicy policy,
      SelectionPolicy selection,
      @Nullable FilterCalls filters) {
    this.filters = filters;
    this.reads = reads;
    this.loop = context.vertx().getOrCreateContext();
    this.context = context;
    this.upstreams = upstreams;
    this.local = local;
    this.observer = observer;
    this.policy = policy;
    this.selector = new Selector(selection);
    this.selectionNumbers = selection.numbers();
    this.hedges = new HedgeBudget(policy.hedgeBudget(), policy.hedgeReserve());
    this.failures = new Failures(context.clock());
  }

  /** A name for a request, unique for all practical purposes. */
  public RequestId newRequestId() {
    return new RequestId(HexFormat.of().toHexDigits(random.nextLong()));
  }

  /**
   * Serves one call.
   *
   * @param target where it is addressed to
   * @param position the snapshot that the target was looked up in
   * @param item a call, or what was wrong with it
   * @param sink gets the answer, perhaps before this returns; a notification's is to be thrown away
   * @return the call under way, for when the caller goes away
   */
  public RunningCall call(
      RpcTarget target, SnapshotPosition position, RequestBody.Item item, AnswerSink sink) {
    ReadSession session = reads.sessions().of(target);
    RpcTarget asked = session == null ? target : session.from(target);
    AnswerSink told = session == null ? sink : session.noting(sink);
    return call(asked, position, item, null, newRequestId(), told);
  }

  RunningCall call(
      RpcTarget target,
      SnapshotPosition position,
      RequestBody.Item item,
      @Nullable PinnedChannel pinned,
      RequestId requestId,
      AnswerSink sink) {
    return switch (item) {
      case Invalid(RpcFault fault, JsonSlice id) -> {
        sink.answer(Answers.error(id, fault), ownAnswer(target, requestId));
        yield ENDED;
      }
      case RequestEnvelope envelope -> serve(target, position, envelope, pinned, requestId, sink);
    };
  }

  /**
   * Serves a batch: answers in order, each item on its own, all beginning on one channel.
   *
   * @param sink gets one array, or an empty buffer when every item was a notification
   */
  public RunningCall batch(
      RpcTarget target, SnapshotPosition position, List<RequestBody.Item> items, AnswerSink sink) {
    ReadSession session = reads.sessions().of(target);
    RpcTarget asked = session == null ? target : session.from(target);
    AnswerSink told = session == null ? sink : session.noting(sink);
    BatchRun batch = new BatchRun(this, asked, position, items, told, newRequestId());
    batch.start();
    return batch;
  }

  private RunningCall serve(
      RpcTarget target,
      SnapshotPosition position,
      RequestEnvelope envelope,
      @Nullable PinnedChannel pinned,
      RequestId requestId,
      AnswerSink sink) {
    long startedNs = System.nanoTime();
    RpcCall call = envelope.call();
    RpcMethod method =
        MethodTable.of(call.methodSource(), call.methodFrom(), call.methodTo() - call.methodFrom());
    JsonSlice id = envelope.id() == null ? JsonSlice.NULL : envelope.id();
    FilterCalls served = filters;
    RpcFault refusal = LocalAnswers.refusal(target, method, served != null);
    if (refusal != null) {
      sink.answer(Answers.error(id, refusal), ownAnswer(target, requestId));
      return ENDED;
    }
    if (served != null && FilterCalls.covers(target, method)) {
      return new FilterRun(this, target, position, envelope, pinned, requestId, sink).start(served);
    }
    JsonSlice known = LocalAnswers.result(target, method, policy, nowMs());
    if (known != null) {
      sink.answer(Answers.result(id, known), ownAnswer(target, requestId));
      return ENDED;
    }
    SinkReply reply = new SinkReply(id, sink);
    if (pinned != null || envelope.notification() || !Coalescing.covers(method, call)) {
      return run(target, position, call, method, pinned, requestId, reply, startedNs);
    }
    SharedCall shared = reads.coalescing().find(target, method, call, loop);
    boolean first = shared.claim(loop);
    RunningCall member =
        shared.join(
            loop,
            requestId,
            reply,
            () -> run(target, position, call, method, null, requestId, reply, startedNs));
    if (first) {
      shared.begin(() -> run(target, position, call, method, null, requestId, shared, startedNs));
    }
    return member;
  }

  /** Runs a call; whatever goes wrong in here, the caller is answered. */
  private RunningCall run(
      RpcTarget target,
      SnapshotPosition position,
      RpcCall call,
      RpcMethod method,
      @Nullable PinnedChannel pinned,
      RequestId requestId,
      Reply reply,
      long startedNs) {
    CallRun run;
    try {
      run = prepare(target, position, call, method, pinned, requestId, reply, startedNs);
    } catch (RuntimeException e) {
      CallRun.logMistake(method, e);
      reply.fault(RpcFault.INTERNAL_ERROR, "Internal error", null, ownAnswer(target, requestId));
      return ENDED;
    }
    run.start();
    return run;
  }

  private CallRun prepare(
      RpcTarget target,
      SnapshotPosition position,
      RpcCall call,
      RpcMethod method,
      @Nullable PinnedChannel pinned,
      RequestId requestId,
      Reply reply,
      long startedNs) {
    Plan plan =
        selector.select(
            target.chain().routes(),
            request(target, call, method),
            local,
            nowMs(),
            random.nextLong());
    CallRecord record = new CallRecord(this, target, method, plan, requestId, position, startedNs);
    ChannelOrder order = ChannelOrder.of(plan, method.large(), pinned, local);
    return new CallRun(this, target, call, method, plan, order, reply, record);
  }

  private SelectionRequest request(RpcTarget target, RpcCall call, RpcMethod method) {
    ActiveChain chain = target.chain();
    RoutingSettings routing = chain.settings().routing();
    BlockBounds bounds = bounds(chain, call, method);
    return new SelectionRequest(
        method.name(),
        method.category().word(),
        routing.strategy(target.options().strategy(), method.name()),
        method.replaySafe(),
        target.options().transport(),
        bounds.fromBlock() == null ? SelectionRequest.UNBOUND : bounds.fromBlock(),
        bounds.toBlock() == null ? SelectionRequest.UNBOUND : bounds.toBlock(),
        target.options().minBlock(),
        bounds.requiresArchival(),
        target.options().excludeRateLimited(),
        routing.providers(target.options().provider(), method.name()),
        target.options().excluded());
  }

  private static BlockBounds bounds(ActiveChain chain, RpcCall call, RpcMethod method) {
    if (!method.readsParams()) {
      return BlockBounds.UNBOUND;
    }
    JsonSlice params = call.params();
    return RequestFacts.of(method, params.source(), params.from(), params.size())
        .bounds(chain.routes().consensusHeight(), chain.settings().selection().archivalThreshold());
  }

  /** Description of an answer that no provider took part in. */
  static AnswerInfo ownAnswer(RpcTarget target, RequestId requestId) {
    StrategyName asked = target.options().strategy();
    return new AnswerInfo(
        200,
        requestId,
        target.profile().profile().slug().value(),
        target.chain().settings().key().value(),
        asked == null ? target.chain().settings().routing().defaultStrategy() : asked,
        0,
        null,
        List.of(),
        List.of(),
        CircuitStatus.CLOSED,
        false,
        0,
        0,
        0,
        null);
  }

  Attempt attempt(
      RpcTarget target,
      Channel channel,
      RpcMethod method,
      RequestId requestId,
      long endedAtMs,
      double latencyMs,
      AttemptOutcome outcome,
      long blockRange) {
    return new Attempt(
        region(),
        process(),
        target.profile().profile().slug(),
        target.chain().settings().chainId(),
        channel,
        method.name(),
        requestId,
        endedAtMs,
        latencyMs,
        outcome,
        blockRange,
        0);
  }

  /** What selection is set to, for decision events. */
  Map<String, Double> selectionNumbers() {
    return selectionNumbers;
  }

  UpstreamSource upstreams() {
    return upstreams;
  }

  LocalEndpoints local() {
    return local;
  }

  EngineObserver observer() {
    return observer;
  }

  EnginePolicy policy() {
    return policy;
  }

  HedgeBudget hedges() {
    return hedges;
  }

  Failures failures() {
    return failures;
  }

  Vertx vertx() {
    return context.vertx();
  }

  Region region() {
    return context.region();
  }

  String process() {
    return context.id().process();
  }

  long nowMs() {
    return context.clock().millis();
  }
}
