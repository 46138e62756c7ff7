package dev.lasso.engine.local;

import dev.lasso.routing.Endpoint;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.FleetState;
import dev.lasso.routing.select.LocalEndpoint;
import dev.lasso.routing.select.LocalView;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The process's own circuit, rate-limit deadline and load for every endpoint that it sent something
 * to. Shared by all event loops without locks: states are immutable and swapped by compare-and-set,
 * the rules are those of {@code routing.circuit} and {@code routing.ratelimit}.
 */
public final class LocalEndpoints implements LocalView {
  private final CircuitPolicy circuitPolicy;
  private final RateLimitPolicy rateLimitPolicy;
  private final Predicate<Endpoint> connected;
  private final ConcurrentHashMap<Endpoint, EndpointState> states = new ConcurrentHashMap<>();

  /**
   * An attempt under way at an endpoint. It holds its endpoint's state, so that one that outlives
   * its endpoint's place in the profiles ends where it began. Owned by one thread.
   */
  public static final class Admitted {
    private final EndpointState state;
    private final boolean trial;

    private Admitted(EndpointState state, boolean trial) {
      this.state = state;
      this.trial = trial;
    }

    /** Whether it holds the trial place of a half-open endpoint. */
    public boolean trial() {
      return trial;
    }

    /**
     * It ended. To be called once.
     *
     * @param latencyMs how long it took
     */
    public void ended(AttemptOutcome outcome, double latencyMs, long nowMs) {
      state.ended(outcome, latencyMs, trial, nowMs);
    }
  }

  /**
   * Knows nothing yet.
   *
   * @param connected whether a WebSocket endpoint has an open connection now; asked from any thread
   */
  public LocalEndpoints(
      CircuitPolicy circuitPolicy, RateLimitPolicy rateLimitPolicy, Predicate<Endpoint> connected) {
    this.circuitPolicy = circuitPolicy;
    this.rateLimitPolicy = rateLimitPolicy;
    this.connected = connected;
  }

  @Override
  public LocalEndpoint endpoint(Endpoint endpoint) {
    return state(endpoint);
  }

  /**
   * Asks to start an attempt, and counts it as under way unless it may not start now.
   *
   * @param fleet what the fleet knows of the endpoint
   * @return the attempt, whose end must be told; null while the circuit is open or the trial place
   *     of a half-open endpoint is taken
   */
  public @Nullable Admitted admit(Endpoint endpoint, FleetState fleet, long nowMs) {
    EndpointState state = state(endpoint);
    CircuitStatus circuit = fleet.circuitAt(nowMs).worse(state.circuitAt(nowMs));
    boolean trial = circuit == CircuitStatus.HALF_OPEN;
    if (circuit == CircuitStatus.OPEN || (trial && !state.takeTrialPlace(nowMs))) {
      return null;
    }
    state.started();
    return new Admitted(state, trial);
  }

  /** A provider told a client that the chain has this height: it has the block. */
  public void sawHeight(Endpoint endpoint, long height) {
    state(endpoint).sawHeight(height);
  }

  /** The highest height that a client was told from here; -1 for none. */
  public long heightSeen(Endpoint endpoint) {
    EndpointState state = states.get(endpoint);
    return state == null ? -1 : state.heightSeen();
  }

  /**
   * When an endpoint that rests (open circuit, rate limit) may be asked again as far as this
   * process knows, epoch milliseconds; 0 when it does not rest.
   */
  public long restsUntilMs(Endpoint endpoint, long nowMs) {
    EndpointState state = states.get(endpoint);
    return state == null ? 0 : state.restsUntilMs(nowMs);
  }

  /**
   * The fleet published an endpoint. A good probe since this process's own circuit opened ends the
   * open period early, as it does for the fleet's, and counts as a trial: so a recovered provider
   * is back soon however long the period had grown.
   */
  public void heard(InstanceHealth health, long nowMs) {
    EndpointState state = states.get(health.endpoint());
    if (state != null && health.consecutiveFailures() == 0 && health.chainIdSeen() == null) {
      state.wellProbed(health.lastProbeAtMs(), nowMs);
    }
  }

  /** Forgets endpoints that no profile names any more; attempts under way there end unharmed. */
  public void keep(Set<Endpoint> endpoints) {
    states.keySet().retainAll(endpoints);
  }

  private EndpointState state(Endpoint endpoint) {
    EndpointState state = states.get(endpoint);
    return state == null
        ? states.computeIfAbsent(
            endpoint,
            created ->
                new EndpointState(circuitPolicy, rateLimitPolicy, () -> connected.test(created)))
        : state;
  }
}
