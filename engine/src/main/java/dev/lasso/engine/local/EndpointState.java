package dev.lasso.engine.local;

import dev.lasso.routing.circuit.Circuit;
import dev.lasso.routing.circuit.CircuitEvent;
import dev.lasso.routing.circuit.CircuitInput;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.circuit.CircuitState;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.circuit.TrialPlaces;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.ratelimit.RateLimitState;
import dev.lasso.routing.select.LocalEndpoint;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** One endpoint as this process knows it. Lock-free; any thread. */
final class EndpointState implements LocalEndpoint {
  /**
   * Weight of a new latency in the average when it is below; above, the average jumps to it at once
   * ("peak" EWMA).
   */
  private static final double WEIGHT = 0.1;

  private final CircuitPolicy circuitPolicy;
  private final RateLimitPolicy rateLimitPolicy;
  private final BooleanSupplier connected;
  private final AtomicReference<CircuitState> circuit;
  private final AtomicReference<TrialPlaces> trials = new AtomicReference<>(TrialPlaces.NONE_TAKEN);
  private final AtomicReference<RateLimitState> rateLimit =
      new AtomicReference<>(RateLimitState.NONE);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong heightSeen = new AtomicLong(-1);
  private volatile double latencyEwmaMs;
  private volatile long wellProbedAtMs;

  EndpointState(
      CircuitPolicy circuitPolicy, RateLimitPolicy rateLimitPolicy, BooleanSupplier connected) {
    this.circuitPolicy = circuitPolicy;
    this.rateLimitPolicy = rateLimitPolicy;
    this.connected = connected;
    this.circuit = new AtomicReference<>(CircuitState.initial(circuitPolicy));
  }

  void started() {
    inFlight.incrementAndGet();
  }

  boolean takeTrialPlace(long nowMs) {
    while (true) {
      TrialPlaces current = trials.get();
      if (!current.free(nowMs, circuitPolicy)) {
        return false;
      }
      if (trials.compareAndSet(current, current.take(nowMs, circuitPolicy))) {
        return true;
      }
    }
  }

  void ended(AttemptOutcome outcome, double latencyMs, boolean trial, long nowMs) {
    inFlight.decrementAndGet();
    if (trial) {
      trials.updateAndGet(TrialPlaces::giveBack);
    }
    if (outcome.succeeded()) {
      // a lost update costs one sample of an average
      double average = latencyEwmaMs;
      latencyEwmaMs = latencyMs > average ? latencyMs : average + WEIGHT * (latencyMs - average);
    }
    RateLimitState limited = rateLimit.get();
    if (!limited.evolve(outcome, nowMs, rateLimitPolicy).equals(limited)) {
      rateLimit.updateAndGet(current -> current.evolve(outcome, nowMs, rateLimitPolicy));
    }
    tell(outcome.attemptInput(trial), nowMs);
  }

  /**
   * The fleet's last probe was good. Called by one thread; each probe is told once.
   *
   * @param probedAtMs when it ended
   */
  void wellProbed(long probedAtMs, long nowMs) {
    CircuitState current = circuit.get();
    if (current.status() != CircuitStatus.CLOSED
        && probedAtMs > current.sinceMs()
        && probedAtMs > wellProbedAtMs) {
      wellProbedAtMs = probedAtMs;
      tell(CircuitInput.Probe.SUCCESS, nowMs);
    }
  }

  void sawHeight(long height) {
    if (height > heightSeen.get()) {
      heightSeen.accumulateAndGet(height, Math::max);
    }
  }

  long heightSeen() {
    return heightSeen.get();
  }

  long restsUntilMs(long nowMs) {
    long circuitMs =
        circuit.get() instanceof CircuitState.Open open && open.untilMs() > nowMs
            ? open.untilMs()
            : 0;
    long limitedMs = rateLimit.get().untilMs();
    return Math.max(circuitMs, limitedMs > nowMs ? limitedMs : 0);
  }

  private void tell(CircuitInput input, long nowMs) {
    while (true) {
      CircuitState current = circuit.get();
      List<CircuitEvent> events =
          Circuit.decide(current, input, nowMs, circuitPolicy, ThreadLocalRandom.current());
      if (events.isEmpty()
          || circuit.compareAndSet(current, Circuit.evolve(current, events, circuitPolicy))) {
        return;
      }
    }
  }

  @Override
  public CircuitStatus circuitAt(long nowMs) {
    return circuit.get().statusAt(nowMs);
  }

  @Override
  public long rateLimitedUntilMs() {
    return rateLimit.get().untilMs();
  }

  @Override
  public int trialsInFlight() {
    return trials.get().taken();
  }

  @Override
  public boolean connected() {
    return connected.getAsBoolean();
  }

  @Override
  public int inFlight() {
    return inFlight.get();
  }

  @Override
  public double latencyEwmaMs() {
    return latencyEwmaMs;
  }
}
