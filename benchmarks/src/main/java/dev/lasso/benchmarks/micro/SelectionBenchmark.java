package dev.lasso.benchmarks.micro;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.ProviderLimits;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.ChainRoutes;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Evidence;
import dev.lasso.routing.select.FleetState;
import dev.lasso.routing.select.Height;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.SelectionRequest;
import dev.lasso.routing.select.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One selection among 10 providers with 2 transports each, all rules on: heights, lag, archival
 * need, configured limits, evidence.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SelectionBenchmark {
  private static final int PROVIDERS = 10;
  private static final long NOW_MS = 1_000_000_000L;
  private static final InstanceId DISCONNECTED = InstanceId.of("node-6");
  private static final String METHOD = "eth_call";

  /** The strategy measured. */
  @Param({"LOAD_BALANCED", "PRIORITY", "FASTEST", "LATENCY_WEIGHTED", "LEAST_LOADED"})
  public StrategyName strategy = StrategyName.LOAD_BALANCED;

  /**
   * Whether nodes are in trouble: one circuit open, one rate limit, one WebSocket down, so that the
   * plan keeps what the process knew.
   */
  @Param({"false", "true"})
  public boolean trouble;

  private final Selector selector = new Selector(SelectionPolicy.DEFAULT);
  private final LocalEndpoints local =
      new LocalEndpoints(
          CircuitPolicy.DEFAULT,
          RateLimitPolicy.DEFAULT,
          endpoint -> !trouble || !endpoint.instance().equals(DISCONNECTED));
  private @Nullable ChainRoutes routes;
  private @Nullable SelectionRequest request;
  private long seed;

  /** Builds the chain. */
  @Setup
  public void build() {
    List<ChannelRow> rows = new ArrayList<>();
    for (int i = 0; i < PROVIDERS; i++) {
      for (Transport transport : Transport.values()) {
        rows.add(row(i, transport));
      }
    }
    @Nullable Evidence[] evidence = new @Nullable Evidence[rows.size()];
    for (int i = 0; i < evidence.length; i++) {
      evidence[i] = new Evidence(20 + 7 * i, 90, 0.99, 1_000, 1, NOW_MS - 500);
    }
    routes =
        new ChainRoutes(
            ProfileSlug.of("default"),
            ChainId.of(1),
            rows,
            Map.of(METHOD, evidence),
            1_000L,
            12_000,
            2,
            true);
    request =
        new SelectionRequest(
            METHOD, "call", strategy, true, null, 990, 990, 980, true, false, Set.of(), Set.of());
    if (trouble) {
      fail(4, ErrorClass.NETWORK_ERROR, 10);
      fail(5, ErrorClass.RATE_LIMIT, 1);
    }
  }

  private void fail(int provider, ErrorClass errorClass, int times) {
    Endpoint endpoint = new Endpoint(InstanceId.of("node-" + provider), Transport.HTTP);
    for (int i = 0; i < times; i++) {
      LocalEndpoints.Admitted admitted = local.admit(endpoint, FleetState.UNKNOWN, NOW_MS);
      if (admitted != null) {
        admitted.ended(new AttemptOutcome.Failure(errorClass, null, null, "", null), 5, NOW_MS);
      }
    }
  }

  private static ChannelRow row(int provider, Transport transport) {
    Channel channel =
        new Channel(
            ProviderId.of("provider-" + provider), InstanceId.of("node-" + provider), transport);
    Capabilities capabilities =
        new Capabilities(
            List.of(MethodPattern.of("trace_*")),
            List.of("debug"),
            new ProviderLimits(10_000L, null, List.of()),
            List.of());
    return new ChannelRow(
        channel,
        channel.endpoint(),
        provider,
        provider != 3, // one keeps no old state, so that rejections are part of the cost
        capabilities,
        FleetState.UNKNOWN,
        new Height(1_000 - provider % 3, NOW_MS - 100, false));
  }

  /** The decision. */
  @Benchmark
  public Plan select() {
    ChainRoutes chain = routes;
    SelectionRequest asked = request;
    if (chain == null || asked == null) {
      throw new IllegalStateException("not built");
    }
    return selector.select(chain, asked, local, NOW_MS, seed++);
  }
}
