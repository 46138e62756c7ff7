package dev.lasso.gateway;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsSettings;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.SnapshotSource;
import dev.lasso.profiles.LoadResult;
import dev.lasso.profiles.ProfileFiles;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Region;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.SelectionPolicy;
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
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A gateway on a free port with the snapshot that a test gives it, and a client to call it with.
 * Profiles are YAML as an operator writes it; nothing needs Kafka.
 */
final class TestGateway implements AutoCloseable {
  private static final AtomicBoolean COLD = new AtomicBoolean(true);
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** Opens after 5 failures and stays open for 1 s instead of 30 s. */
  private static final CircuitPolicy SHORT_OPEN =
      new CircuitPolicy(5, 10, 20, 0.5, 10_000, 1_000, 10_000, 0.1, 2, 1, 5_000, 1_000, 60_000);

  final Vertx vertx;
  final LocalEndpoints local;
  final ProcessMetrics metrics;
  final Observed observed = new Observed();
  final GatewayServer.Parts parts;
  private final SnapshotFold fold = new SnapshotFold(Region.of("test"), _ -> null);
  private final Snapshots snapshots = new Snapshots();
  private final GatewayServers servers;
  private final WsConnections webSockets;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private int port;
  private boolean closed;

  /** An answer as the client got it. */
  record Reply(int status, String text, java.net.http.HttpHeaders headers) {
    JsonObject json() {
      return new JsonObject(text);
    }

    JsonArray array() {
      return new JsonArray(text);
    }

    Object result() {
      return json().getValue("result");
    }

    JsonObject error() {
      return json().getJsonObject("error");
    }

    int code() {
      return error().getInteger("code");
    }

    String header(String name) {
      return headers.firstValue(name).orElse("");
    }
  }

  /** What the engine told. */
  static final class Observed implements EngineObserver {
    final List<Attempt> attempts = new CopyOnWriteArrayList<>();
    final List<RoutingDecision> decisions = new CopyOnWriteArrayList<>();

    @Override
    public void attempted(Attempt attempt) {
      attempts.add(attempt);
    }

    @Override
    public void decided(boolean failed, Supplier<RoutingDecision> decision) {
      decisions.add(decision.get());
    }

    List<Attempt> of(String provider) {
      return attempts.stream()
          .filter(attempt -> attempt.channel().provider().value().equals(provider))
          .toList();
    }
  }

  private static final class Snapshots implements SnapshotSource {
    private final List<Consumer<RoutingSnapshot>> listeners = new CopyOnWriteArrayList<>();
    private volatile RoutingSnapshot current = RoutingSnapshot.EMPTY;

    @Override
    public RoutingSnapshot snapshot() {
      return current;
    }

    @Override
    public void onChange(Consumer<RoutingSnapshot> listener) {
      listeners.add(listener);
    }

    void swap(RoutingSnapshot next) {
      current = next;
      listeners.forEach(listener -> listener.accept(next));
    }
  }

  private TestGateway(Map<String, String> environment) throws Exception {
    Map<String, String> settings = new HashMap<>(Map.of("LASSO_FAREWELL", "0s"));
    settings.putAll(environment);
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    ProcessId id = ProcessId.starting("gateway", "test", InstantSource.system());
    metrics = ProcessMetrics.of(id);
    ProcessContext context =
        new ProcessContext(
            id,
            KafkaConnection.of("127.0.0.1:1", "test.", id),
            new TopicCatalogue(TopicSettings.defaults()),
            SettingCatalogue.of(GatewayService.SETTINGS).read(settings),
            _ -> null,
            vertx,
            metrics,
            new Readiness(),
            (record, reader, why) -> {},
            InstantSource.system(),
            Path.of("target"));
    webSockets = new WsConnections(vertx, WsSettings.DEFAULT, new SplittableRandom(1));
    local =
        new LocalEndpoints(
            SHORT_OPEN,
            RateLimitPolicy.DEFAULT,
            endpoint -> {
              var upstream = webSockets.of(endpoint.instance());
              return upstream != null && upstream.connected();
            });
    PresenceView presence = new PresenceView(context);
    parts =
        GatewayServer.Parts.of(
            context,
            snapshots,
            SelectionPolicy.DEFAULT,
            local,
            webSockets,
            observed,
            new TopologyPage(context, presence),
            new WebSocketPass(vertx, List::of),
            null);
    servers = new GatewayServers(parts);
  }

  /** Loads the classes of a whole request, so that no test's deadline pays for it. */
  private static void warmUp() throws Exception {
    try (TestGateway gateway = start(Map.of())) {
      gateway.serving(providers(ScriptedProvider.start(gateway.vertx, call -> call.result("[]"))));
      for (int i = 0; i < 20; i++) {
        gateway.post("/rpc/ethereum", "[" + call("trace_block", "[\"0x1\"]") + "]");
        gateway.ask("trace_block", "[\"0x1\"]");
      }
    }
  }

  /** A gateway with every setting at its default, knowing no profile. */
  static TestGateway start() throws Exception {
    return start(Map.of());
  }

  /** A gateway with some settings. */
  static TestGateway start(Map<String, String> environment) throws Exception {
    if (COLD.getAndSet(false)) {
      warmUp();
    }
    TestGateway gateway = new TestGateway(environment);
    gateway.port = gateway.servers.start(0, 2);
    return gateway;
  }

  /** Provider entries by id, first come first tried: the profiles of tests rank by priority. */
  static Map<String, String> providers(ScriptedProvider... scripted) {
    Map<String, String> urls = new LinkedHashMap<>();
    for (ScriptedProvider provider : scripted) {
      urls.put("u" + (urls.size() + 1), provider.url());
    }
    return urls;
  }

  /** A profile of one chain, {@code ethereum} with id 1, whose providers are tried in order. */
  TestGateway serving(Map<String, String> providers) {
    return serving(providers, "");
  }

  /**
   * The same.
   *
   * @param more further keys of the chain, indented by six spaces in front; may replace {@code
   *     routing}
   */
  TestGateway serving(Map<String, String> providers, String more) {
    return serving("", providers, more);
  }

  TestGateway serving(String profileKeys, Map<String, String> providers, String chainKeys) {
    return apply(yaml(profileKeys, providers, chainKeys));
  }

  private static String yaml(String profileKeys, Map<String, String> providers, String chainKeys) {
    StringBuilder yaml = new StringBuilder("name: Test\nslug: default\n");
    yaml.append(profileKeys.isEmpty() ? "rps_limit: 0\nburst_limit: 0\n" : profileKeys);
    yaml.append("chains:\n  ethereum:\n    chain_id: 1\n    aliases: [mainnet]\n");
    if (!chainKeys.contains("routing:")) {
      yaml.append("    routing: {default_strategy: priority, hedge: {max: 0}}\n");
    }
    chainKeys.lines().forEach(line -> yaml.append("    ").append(line).append('\n'));
    yaml.append("    providers:\n");
    int priority = 0;
    for (Map.Entry<String, String> provider : providers.entrySet()) {
      yaml.append("      - id: ").append(provider.getKey()).append('\n');
      yaml.append("        url: ").append(provider.getValue().split(" ", 2)[0]).append('\n');
      yaml.append("        priority: ").append(++priority).append('\n');
      if (provider.getValue().contains(" ")) {
        provider
            .getValue()
            .split(" ", 2)[1]
            .lines()
            .forEach(line -> yaml.append("        ").append(line).append('\n'));
      }
    }
    return yaml.toString();
  }

  /** Applies a profile as an operator would write it. */
  TestGateway apply(String yaml) {
    switch (new ProfileFiles(_ -> null, ProfileFiles.Variables.MUST_BE_SET)
        .parse(Path.of("test.yml"), yaml)) {
      case LoadResult.Valid valid -> apply(valid.profiles().getFirst());
      case LoadResult.Invalid invalid ->
          throw new IllegalArgumentException(invalid.findings() + "\n" + yaml);
    }
    return this;
  }

  void apply(Profile profile) {
    change(folding -> folding.apply(profile));
  }

  /** Changes what the snapshot is made of, and swaps it. */
  void change(Consumer<SnapshotFold> change) {
    synchronized (fold) {
      change.accept(fold);
      snapshots.swap(fold.snapshot(SnapshotPosition.START));
    }
  }

  /** Heights of the providers as the fleet just saw them; the highest is agreed on. */
  void atHeights(Map<String, Long> heights) {
    atHeights(heights.values().stream().max(Long::compare).orElseThrow(), heights);
  }

  void atHeights(long consensus, Map<String, Long> heights) {
    long nowMs = System.currentTimeMillis();
    List<ChainState.InstanceHeight> seen =
        heights.entrySet().stream()
            .map(
                entry ->
                    new ChainState.InstanceHeight(
                        channel(entry.getKey()).channel().instance(),
                        entry.getValue(),
                        nowMs,
                        nowMs,
                        false,
                        entry.getValue() > consensus))
            .toList();
    change(
        folding ->
            folding.apply(
                new ChainState(
                    Region.of("test"),
                    ChainId.of(1),
                    nowMs,
                    consensus,
                    nowMs,
                    null,
                    null,
                    null,
                    seen)));
  }

  ChannelRow channel(String provider) {
    ActiveProfile profile = Objects.requireNonNull(snapshots.snapshot().profile("default"));
    ActiveChain chain = Objects.requireNonNull(profile.chain("ethereum"));
    return chain.routes().channels().stream()
        .filter(row -> row.channel().provider().value().equals(provider))
        .findFirst()
        .orElseThrow();
  }

  /** The gateway's own circuit for a provider. */
  CircuitStatus circuit(String provider) {
    return local.endpoint(channel(provider).endpoint()).circuitAt(System.currentTimeMillis());
  }

  int inFlight(String provider) {
    return local.endpoint(channel(provider).endpoint()).inFlight();
  }

  boolean rateLimited(String provider) {
    return local.endpoint(channel(provider).endpoint()).rateLimitedUntilMs()
        > System.currentTimeMillis();
  }

  int port() {
    return port;
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** A call with an id of 1. */
  static String call(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}";
  }

  Reply ask(String method, String params) throws Exception {
    return post("/rpc/ethereum", call(method, params));
  }

  Reply post(String path, String body, String... headers) throws Exception {
    return send(path, body, headers).get(60, TimeUnit.SECONDS);
  }

  CompletableFuture<Reply> send(String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(DEADLINE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client
        .sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
        .thenApply(reply -> new Reply(reply.statusCode(), reply.body(), reply.headers()));
  }

  /** Sends all at once. */
  List<Reply> postAll(List<String> bodies) throws Exception {
    List<CompletableFuture<Reply>> sent = new ArrayList<>();
    for (String body : bodies) {
      sent.add(send("/rpc/ethereum", body));
    }
    List<Reply> replies = new ArrayList<>();
    for (CompletableFuture<Reply> reply : sent) {
      replies.add(reply.get(60, TimeUnit.SECONDS));
    }
    return replies;
  }

  HttpClient client() {
    return client;
  }

  void stopServing() throws Exception {
    servers.stop();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        if (!parts.farewell().begun()) {
          servers.stop();
        }
        webSockets.close();
        client.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new IllegalStateException("the gateway did not stop", e);
      } finally {
        metrics.close();
      }
    }
  }
}
