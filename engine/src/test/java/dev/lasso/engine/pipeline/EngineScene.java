package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestParser;
import dev.lasso.engine.rpc.ResponseScanner;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.rpc.ScanLimits;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.engine.upstream.ResultStream;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.engine.upstream.UpstreamRequest;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.Templated;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.SelectionRequest;
import dev.lasso.routing.select.Selector;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.ProcessMetrics;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine over providers that answer when the test says so. Providers are asked in the order of
 * their names; one whose name ends in {@link #WITH_WS} has a WebSocket beside HTTP.
 */
final class EngineScene {
  static final String WITH_WS = "+ws";

  private static final ProcessId PROCESS =
      ProcessId.starting("gateway", "local", InstantSource.system());
  private static final ProcessMetrics METRICS = ProcessMetrics.of(PROCESS);
  private static final TopicCatalogue TOPICS = new TopicCatalogue(TopicSettings.defaults());
  private static final RequestOptions IN_ORDER =
      new RequestOptions(
          StrategyName.PRIORITY,
          null,
          null,
          java.util.Set.of(),
          false,
          -1,
          null,
          RequestOptions.Metadata.NONE);

  private final LocalEndpoints local =
      new LocalEndpoints(CircuitPolicy.DEFAULT, RateLimitPolicy.DEFAULT, endpoint -> true);
  private final Map<ProviderId, Deque<Asked>> asked = new HashMap<>();
  private final RpcTarget target;
  private final RpcEngine engine;
  private final SharedReads reads = SharedReads.of(EnginePolicy.DEFAULT);
  private boolean broken;
  final List<ProviderId> order = new ArrayList<>();
  final List<Attempt> attempts = new ArrayList<>();
  final List<RoutingDecision> decisions = new ArrayList<>();

  EngineScene(Vertx vertx, String... providers) {
    this(vertx, RoutingSettings.DEFAULT, providers);
  }

  EngineScene(Vertx vertx, RoutingSettings routing, String... providers) {
    this.target = target(routing, providers);
    this.engine =
        new RpcEngine(
            context(vertx),
            (endpoint, transport) -> upstream(endpoint.provider()),
            local,
            reads,
            new Observed(),
            EnginePolicy.DEFAULT,
            SelectionPolicy.DEFAULT,
            null);
  }

  private static ProcessContext context(Vertx vertx) {
    return new ProcessContext(
        PROCESS,
        KafkaConnection.of("127.0.0.1:1", "lasso.", PROCESS),
        TOPICS,
        SettingCatalogue.of(List.of()).read(Map.of()),
        name -> null,
        vertx,
        METRICS,
        new Readiness(),
        (record, reader, cause) -> {},
        InstantSource.system(),
        Path.of("."));
  }

  private static RpcTarget target(RoutingSettings routing, String... providers) {
    ChainProfile chain =
        ChainProfile.of(
                ChainId.of(1),
                ChainName.of("ethereum"),
                Arrays.stream(providers).map(EngineScene::provider).toList())
            .with(routing);
    SnapshotFold fold = new SnapshotFold(dev.lasso.routing.Region.of("local"), name -> null);
    fold.apply(new Profile(ProfileSlug.of("default"), "Default", 0, 0, List.of(chain)));
    RoutingSnapshot snapshot = fold.snapshot(SnapshotPosition.START);
    ActiveProfile profile = Objects.requireNonNull(snapshot.profile("default"));
    ActiveChain active = Objects.requireNonNull(profile.chain("ethereum"));
    return new RpcTarget(profile, active, IN_ORDER);
  }

  private static Provider provider(String name) {
    String id = name.replace(WITH_WS, "");
    Provider plain = Provider.of(ProviderId.of(id), "http://" + id + ".example");
    return id.equals(name)
        ? plain
        : new Provider(
            plain.id(),
            plain.name(),
            plain.url(),
            Templated.parse("ws://" + id + ".example"),
            plain.priority(),
            plain.archival(),
            plain.subscribeNewHeads(),
            plain.headers(),
            plain.apiKey(),
            plain.sharing(),
            plain.capabilities());
  }

  /** The order in which a call bound to a block would try the providers. */
  ChannelOrder order(boolean large, long toBlock, IntPredicate hasTheBlock) {
    SelectionRequest request =
        new SelectionRequest(
            "eth_getLogs",
            "logs",
            StrategyName.PRIORITY,
            true,
            null,
            SelectionRequest.UNBOUND,
            toBlock,
            SelectionRequest.UNBOUND,
            false,
            false,
            java.util.Set.of(),
            java.util.Set.of());
    Plan plan =
        new Selector(SelectionPolicy.DEFAULT)
            .select(target.chain().routes(), request, local, System.currentTimeMillis(), 1);
    return ChannelOrder.of(plan, large, null, hasTheBlock);
  }

  /** The next request to a provider ends in a mistake of ours. */
  void breakOnce() {
    broken = true;
  }

  private Upstream upstream(ProviderId provider) {
    return (request, done) -> {
      if (broken) {
        broken = false;
        throw new IllegalStateException("broken once");
      }
      Asked call = new Asked(request, done);
      order.add(provider);
      asked.computeIfAbsent(provider, _ -> new ArrayDeque<>()).addLast(call);
      return call;
    };
  }

  /** The oldest call that the provider has not answered yet. */
  Asked at(String provider) {
    Deque<Asked> calls = asked.get(ProviderId.of(provider));
    assertThat(calls).as("calls at %s", provider).isNotEmpty();
    return Objects.requireNonNull(calls).removeFirst();
  }

  /** Names of the providers asked, in order. */
  List<String> asked() {
    return order.stream().map(ProviderId::value).toList();
  }

  /** Requests under way at a provider, as the process counts them. */
  int inFlight(String provider) {
    var row =
        target.chain().routes().channels().stream()
            .filter(channel -> channel.channel().provider().value().equals(provider))
            .findFirst()
            .orElseThrow();
    return local.endpoint(new Endpoint(row.channel().instance(), Transport.HTTP)).inFlight();
  }

  int sharedCalls() {
    return reads.coalescing().size();
  }

  Caller call(String method, String params) {
    return call("1", method, params);
  }

  Caller call(String id, String method, String params) {
    Caller caller = new Caller();
    RequestBody.Single body = (RequestBody.Single) parse(request(id, method, params));
    caller.running = engine.call(target, SnapshotPosition.START, body.item(), caller);
    return caller;
  }

  Caller batch(String... requests) {
    Caller caller = new Caller();
    RequestBody.Batch body = (RequestBody.Batch) parse("[" + String.join(",", requests) + "]");
    caller.running = engine.batch(target, SnapshotPosition.START, body.items(), caller);
    return caller;
  }

  /** Sends a body of any form, as an edge would; one that is refused is answered at once. */
  Caller send(byte[] body, RequestOptions options) {
    Caller caller = new Caller();
    RpcTarget to = new RpcTarget(target.profile(), target.chain(), options);
    switch (RequestParser.parse(body, EnvelopeLimits.DEFAULT)) {
      case RequestBody.Refused(RpcFault fault) ->
          caller.answer = Answers.error(JsonSlice.NULL, fault).toString();
      case RequestBody.Single(RequestBody.Item item) ->
          caller.running = engine.call(to, SnapshotPosition.START, item, caller);
      case RequestBody.Batch(List<RequestBody.Item> items) ->
          caller.running = engine.batch(to, SnapshotPosition.START, items, caller);
    }
    return caller;
  }

  /** Any call that no provider has answered yet, or null. */
  @Nullable Asked next() {
    for (Deque<Asked> calls : asked.values()) {
      Asked call = calls.poll();
      if (call != null) {
        return call;
      }
    }
    return null;
  }

  static String request(String id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}"
        .formatted(id, method, params);
  }

  private static RequestBody parse(String text) {
    return RequestParser.parse(text.getBytes(StandardCharsets.UTF_8), EnvelopeLimits.DEFAULT);
  }

  private final class Observed implements EngineObserver {
    @Override
    public void attempted(Attempt attempt) {
      attempts.add(attempt);
    }

    @Override
    public void decided(boolean failed, Supplier<RoutingDecision> decision) {
      decisions.add(decision.get());
    }
  }

  /** A request that a provider got. */
  static final class Asked implements UpstreamCall {
    final UpstreamRequest request;
    private final Handler<UpstreamOutcome> done;
    boolean cancelled;

    Asked(UpstreamRequest request, Handler<UpstreamOutcome> done) {
      this.request = request;
      this.done = done;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    void result(String json) {
      done.handle(new UpstreamOutcome.Result(JsonSlice.of(json)));
    }

    void error(int code, String message) {
      ResponseScanner scanner = new ResponseScanner(1, ScanLimits.DEFAULT);
      scanner.feed(
          "{\"id\":1,\"error\":{\"code\":%d,\"message\":\"%s\"}}"
              .formatted(code, message)
              .getBytes(StandardCharsets.UTF_8));
      ScannedAnswer.RpcError error = (ScannedAnswer.RpcError) scanner.end();
      done.handle(
          new UpstreamOutcome.Refused(
              UpstreamError.of(200, code, message),
              error,
              MultiMap.caseInsensitiveMultiMap(),
              null));
    }

    void status(int status, String body) {
      done.handle(
          new UpstreamOutcome.Refused(
              UpstreamError.http(status, body),
              null,
              MultiMap.caseInsensitiveMultiMap(),
              "the body is no JSON object"));
    }

    void fails(TransportFault fault, boolean sent) {
      done.handle(new UpstreamOutcome.Failed(fault, sent));
    }

    /** Answers with the bytes of a body, read as an HTTP exchange reads it. */
    void body(int status, MultiMap headers, byte[] bytes) {
      ResponseScanner scanner = new ResponseScanner(7, ScanLimits.DEFAULT);
      scanner.feed(bytes);
      done.handle(
          switch (scanner.end()) {
            case ScannedAnswer.Result result -> new UpstreamOutcome.Result(result.result());
            case ScannedAnswer.RpcError error ->
                new UpstreamOutcome.Refused(
                    new UpstreamError(
                        status,
                        error.code(),
                        error.message(),
                        error.data() == null ? null : error.data().toString()),
                    error,
                    headers,
                    null);
            case ScannedAnswer.Malformed malformed ->
                new UpstreamOutcome.Refused(
                    UpstreamError.http(status, malformed.preview()),
                    null,
                    headers,
                    malformed.reason());
            case ScannedAnswer.Streamed _ ->
                new UpstreamOutcome.Failed(TransportFault.PROTOCOL, true);
          });
    }

    Streamed streams(String head) {
      Streamed stream = new Streamed(head);
      done.handle(new UpstreamOutcome.Streaming(stream));
      return stream;
    }
  }

  /** A large result of a provider. */
  static final class Streamed implements ResultStream {
    private final String head;
    @Nullable Reader reader;
    boolean cancelled;
    int pauses;

    Streamed(String head) {
      this.head = head;
    }

    Reader reader() {
      return Objects.requireNonNull(reader);
    }

    @Override
    public JsonSlice head() {
      return JsonSlice.of(head);
    }

    @Override
    public void start(Reader to) {
      reader = to;
    }

    @Override
    public void pause() {
      pauses++;
    }

    @Override
    public void resume() {}

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  /** Who asked, and what he was told. */
  static final class Caller implements AnswerSink, AnswerSink.Stream {
    private RunningCall running = () -> {};
    private @Nullable String answer;
    private @Nullable AnswerInfo info;
    final StringBuilder streamed = new StringBuilder();
    boolean full;
    boolean ended;
    boolean aborted;

    void leave() {
      running.cancel();
    }

    boolean answered() {
      return answer != null;
    }

    String answer() {
      return Objects.requireNonNull(answer, "not answered yet");
    }

    AnswerInfo info() {
      return Objects.requireNonNull(info);
    }

    void hasResult(String id, String result) {
      assertThat(answer())
          .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    void hasError(int code) {
      assertThat(answer()).contains("\"error\":{\"code\":" + code + ",");
    }

    @Override
    public void answer(Buffer buffer, AnswerInfo how) {
      assertThat(answer).as("answered twice").isNull();
      answer = buffer.toString();
      info = how;
    }

    @Override
    public Stream stream(Buffer head, AnswerInfo how) {
      info = how;
      streamed.append(head);
      return this;
    }

    @Override
    public void write(JsonSlice part) {
      streamed.append(part);
    }

    @Override
    public boolean full() {
      return full;
    }

    @Override
    public void onDrain(Runnable resume) {}

    @Override
    public void end(Buffer tail) {
      streamed.append(tail);
      ended = true;
    }

    @Override
    public void abort() {
      aborted = true;
      leave(); // as a closed connection does
    }
  }
}
