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

  /** Whether an attempt may start. */
  public enum Admission {
    /** As one of many. */
    NORMAL,
    /** As the trial of a half-open endpoint: its outcome must be reported as one. */
    TRIAL,
    /** Not now: the circuit is open, or the trial place is taken. */
    REFUSED;

    public boolean admitted() {
      return this != REFUSED;
    }

    public boolean trial() {
      return this == TRIAL;
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
   * Asks to start an attempt, and counts it as under way unless refused. Each admitted attempt must
   * be reported to {@link #ended} once.
   *
   * @param fleet what the fleet knows of the endpoint
   */
  public Admission admit(Endpoint endpoint, FleetState fleet, long nowMs) {
    EndpointState state = state(endpoint);
    CircuitStatus circuit = fleet.circuitAt(nowMs).worse(state.circuitAt(nowMs));
    return switch (circuit) {
      case CLOSED -> {
        state.started();
        yield Admission.NORMAL;
      }
      case HALF_OPEN -> {
        if (!state.takeTrialPlace(nowMs)) {
          yield Admission.REFUSED;
        }
        state.started();
        yield Admission.TRIAL;
      }
      case OPEN -> Admission.REFUSED;
    };
  }

  /**
   * An admitted attempt ended.
   *
   * @param latencyMs how long it took
   * @param trial whether it was admitted as a trial
   */
  public void ended(
      Endpoint endpoint, AttemptOutcome outcome, double latencyMs, boolean trial, long nowMs) {
    state(endpoint).ended(outcome, latencyMs, trial, nowMs);
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

  /** Forgets endpoints that no profile names any more. */
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
