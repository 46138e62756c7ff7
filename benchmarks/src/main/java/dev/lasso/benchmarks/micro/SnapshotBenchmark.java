package dev.lasso.benchmarks.micro;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One health event folded into a new snapshot, with 20 chains of 10 providers and 40 measured
 * methods each.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SnapshotBenchmark {
  private static final int CHAINS = 20;
  private static final int PROVIDERS = 10;
  private static final int METHODS = 40;
  private static final Region REGION = Region.of("local");
  private static final ProfileSlug PROFILE = ProfileSlug.of("default");

  private final SnapshotFold fold = new SnapshotFold(REGION, _ -> null);
  private final List<Endpoint> endpoints = new ArrayList<>();
  private int turn;

  /** Fills the fold. */
  @Setup
  public void fill() {
    List<ChainProfile> chains = new ArrayList<>();
    for (int c = 1; c <= CHAINS; c++) {
      List<Provider> providers = new ArrayList<>();
      for (int p = 0; p < PROVIDERS; p++) {
        providers.add(
            Provider.of(ProviderId.of("p" + p), "https://p" + p + ".chain" + c + ".example"));
      }
      chains.add(ChainProfile.of(ChainId.of(c), ChainName.of("chain" + c), providers));
    }
    fold.apply(new Profile(PROFILE, "Default", 100, 500, chains));
    RoutingSnapshot snapshot = fold.snapshot(SnapshotPosition.START);
    for (ActiveProfile profile : snapshot.profiles()) {
      for (ActiveChain chain : profile.chains()) {
        for (ChannelRow row : chain.routes().channels()) {
          endpoints.add(row.endpoint());
          for (int m = 0; m < METHODS; m++) {
            fold.apply(
                new ProviderMetrics(
                    REGION,
                    PROFILE,
                    chain.settings().chainId(),
                    row.channel(),
                    "eth_method" + m,
                    1,
                    10,
                    20,
                    30,
                    12,
                    1,
                    100,
                    1));
          }
        }
      }
    }
    fold.snapshot(SnapshotPosition.START);
  }

  /** One event, one new snapshot. */
  @Benchmark
  public RoutingSnapshot afterOneHealthEvent() {
    int index = turn++ % endpoints.size();
    fold.apply(
        new InstanceHealth(
            REGION,
            ChainId.of(index / PROVIDERS + 1),
            endpoints.get(index),
            turn,
            HealthStatus.HEALTHY,
            CircuitStatus.CLOSED,
            0,
            0,
            0,
            0,
            0,
            0,
            1,
            null,
            new AttemptOutcome.Failure(ErrorClass.TIMEOUT, null, null, "no answer in time", null),
            1,
            1,
            List.of()));
    return fold.snapshot(SnapshotPosition.START);
  }
}
