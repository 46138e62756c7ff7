package dev.lasso.simulator;

import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.node.SimNode;
import dev.lasso.simulator.time.RealSimClock;
import dev.lasso.simulator.time.SimClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chains and the providers that serve them, started and stopped together. Thread-safe once built.
 *
 * <pre>{@code
 * try (Simulation simulation =
 *     Simulation.builder()
 *         .chain(ChainSpec.of("ethereum", 1))
 *         .provider(ProviderSpec.of("fast", "ethereum"))
 *         .build()) {
 *   simulation.start().await();
 *   simulation.provider("fast").faults().pin("http:503 p=0.5");
 * }
 * }</pre>
 */
public final class Simulation implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Simulation.class);
  private static final long CLOSE_SECONDS = 10;

  private final Vertx vertx;
  private final boolean ownVertx;
  private final SimClock clock;
  private final @Nullable RealSimClock ownClock;
  private final Map<String, SimChain> chains = new LinkedHashMap<>();
  private final Map<String, SimProvider> providers = new LinkedHashMap<>();
  private final List<BlockProducer> producers = new ArrayList<>();
  private final List<SimClock.Timer> scriptTimers = new ArrayList<>();
  private final FaultScript script;
  private final boolean autoMine;

  private Simulation(Builder builder) {
    Vertx given = builder.vertx;
    this.ownVertx = given == null;
    this.vertx = given == null ? Vertx.vertx() : given;
    SimClock givenClock = builder.clock;
    this.ownClock = givenClock == null ? new RealSimClock() : null;
    this.clock = ownClock == null && givenClock != null ? givenClock : realClock();
    this.script = builder.script;
    this.autoMine = builder.autoMine;
    for (ChainSpec spec : builder.chains) {
      SimChain chain = new SimChain(spec);
      chains.put(spec.name(), chain);
      producers.add(new BlockProducer(chain, clock));
    }
    ControlApi control = new ControlApi();
    for (ProviderSpec spec : builder.providers) {
      long seed = builder.seed * 31 + spec.id().hashCode();
      FaultBoard faults = new FaultBoard(seed, clock);
      SimNode node = new SimNode(chain(spec.chain()), spec.node(), faults, seed);
      Traffic traffic = new Traffic(builder.recordedRequests);
      SimProvider provider = new SimProvider(vertx, spec, node, clock, traffic, control, seed);
      spec.faults().forEach(faults::pin);
      control.register(provider);
      providers.put(spec.id(), provider);
    }
  }

  private SimClock realClock() {
    if (ownClock == null) {
      throw new IllegalStateException("no clock");
    }
    return ownClock;
  }

  /** A simulation to be composed. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Opens all ports, begins mining by the clock and running the script. Completes when every port
   * is open; if one cannot be, everything is stopped again and the cause is reported.
   */
  public Future<Simulation> start() {
    return Future.all(providers.values().stream().map(SimProvider::start).toList())
        .map(
            opened -> {
              if (autoMine) {
                producers.forEach(BlockProducer::start);
              }
              for (FaultScript.Step step : script.steps()) {
                scriptTimers.add(clock.schedule(step.at(), () -> perform(step)));
              }
              return this;
            })
        .recover(cause -> stop().transform(_ -> Future.failedFuture(cause)));
  }

  /** Closes all ports and ends all timers. */
  public Future<Void> stop() {
    producers.forEach(BlockProducer::stop);
    scriptTimers.forEach(SimClock.Timer::cancel);
    return Future.join(providers.values().stream().map(SimProvider::stop).toList())
        .transform(
            stopped -> {
              if (ownClock != null) {
                ownClock.close();
              }
              return ownVertx ? vertx.close() : Future.succeededFuture();
            });
  }

  /** {@link #stop()}, waiting at most 10 s. Not to be called on an event loop. */
  @Override
  public void close() {
    try {
      stop().await(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.atWarn().setCause(e).log("simulation did not stop in time");
    }
  }

  /**
   * A chain by name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public SimChain chain(String name) {
    return require(chains, "chain", name);
  }

  /**
   * A provider by id.
   *
   * @throws IllegalArgumentException if there is none
   */
  public SimProvider provider(String id) {
    return require(providers, "provider", id);
  }

  /** All chains in the order added. */
  public Collection<SimChain> chains() {
    return List.copyOf(chains.values());
  }

  /** All providers in the order added. */
  public Collection<SimProvider> providers() {
    return List.copyOf(providers.values());
  }

  private static <T> T require(Map<String, T> map, String what, String name) {
    T value = map.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "no " + what + " '" + name + "', there are " + String.join(", ", map.keySet()));
    }
    return value;
  }

  private void perform(FaultScript.Step step) {
    try {
      switch (step) {
        case FaultScript.Pin pin -> provider(pin.provider()).faults().pin(pin.rule());
        case FaultScript.Clear clear -> provider(clear.provider()).faults().clear();
        case FaultScript.Command command -> command.command().applyTo(chain(command.chain()));
      }
      LOG.atInfo().addKeyValue("step", step).log("simulation script step done");
    } catch (IllegalArgumentException e) {
      LOG.atWarn().addKeyValue("step", step).setCause(e).log("simulation script step failed");
    }
  }

  /** Composes a simulation. Not thread-safe. */
  public static final class Builder {
    private final List<ChainSpec> chains = new ArrayList<>();
    private final List<ProviderSpec> providers = new ArrayList<>();
    private @Nullable Vertx vertx;
    private @Nullable SimClock clock;
    private FaultScript script = FaultScript.EMPTY;
    private long seed;
    private int recordedRequests = 1024;
    private boolean autoMine = true;

    private Builder() {}

    /** Adds a chain. */
    public Builder chain(ChainSpec spec) {
      chains.add(spec);
      return this;
    }

    /** Adds a provider. */
    public Builder provider(ProviderSpec spec) {
      providers.add(spec);
      return this;
    }

    /** Uses a Vert.x of the caller, who keeps closing it; otherwise the simulation has its own. */
    public Builder vertx(Vertx given) {
      vertx = given;
      return this;
    }

    /** Uses a clock of the caller; otherwise the system's. */
    public Builder clock(SimClock given) {
      clock = given;
      return this;
    }

    /** Lets things go wrong by a script. */
    public Builder script(FaultScript given) {
      script = given;
      return this;
    }

    /** Seeds chance: which calls faults strike, jitter, subscription ids. */
    public Builder seed(long given) {
      seed = given;
      return this;
    }

    /** How many calls each provider remembers; 1024 unless set, 0 for none. */
    public Builder recordedRequests(int given) {
      recordedRequests = given;
      return this;
    }

    /** Leaves mining to explicit commands instead of the clock. */
    public Builder mineByCommandOnly() {
      autoMine = false;
      return this;
    }

    /**
     * Builds the simulation; no port is opened yet.
     *
     * @throws IllegalArgumentException if names repeat, or a provider or script step names a chain
     *     or provider that is not there
     */
    public Simulation build() {
      List<String> chainNames = chains.stream().map(ChainSpec::name).toList();
      List<String> providerIds = providers.stream().map(ProviderSpec::id).toList();
      requireDistinct("chain", chainNames);
      requireDistinct("provider", providerIds);
      for (ProviderSpec provider : providers) {
        requireKnown("provider " + provider.id(), "chain", provider.chain(), chainNames);
      }
      for (FaultScript.Step step : script.steps()) {
        switch (step) {
          case FaultScript.Pin pin ->
              requireKnown("script", "provider", pin.provider(), providerIds);
          case FaultScript.Clear clear ->
              requireKnown("script", "provider", clear.provider(), providerIds);
          case FaultScript.Command command ->
              requireKnown("script", "chain", command.chain(), chainNames);
        }
      }
      return new Simulation(this);
    }

    private static void requireDistinct(String what, List<String> names) {
      for (String name : names) {
        if (names.indexOf(name) != names.lastIndexOf(name)) {
          throw new IllegalArgumentException(what + " '" + name + "' is given twice");
        }
      }
    }

    private static void requireKnown(String who, String what, String name, List<String> known) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            who + ": no " + what + " '" + name + "', there are " + String.join(", ", known));
      }
    }
  }
}
