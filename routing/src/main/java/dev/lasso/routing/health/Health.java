package dev.lasso.routing.health;

import dev.lasso.routing.circuit.Circuit;
import dev.lasso.routing.circuit.CircuitEvent;
import dev.lasso.routing.circuit.CircuitInput;
import dev.lasso.routing.circuit.CircuitInput.Counted;
import dev.lasso.routing.circuit.CircuitInput.Reported;
import dev.lasso.routing.circuit.CircuitInput.Time;
import dev.lasso.routing.circuit.CircuitInput.Trial;
import dev.lasso.routing.circuit.CircuitState;
import dev.lasso.routing.circuit.CircuitState.Closed;
import dev.lasso.routing.circuit.CircuitState.HalfOpen;
import dev.lasso.routing.circuit.CircuitState.Open;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.ratelimit.RateLimitState;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The fold of everything that is reported about an endpoint. Pure. {@code atMs} is the folding
 * process's time in milliseconds since the epoch: clocks of reporting processes are not trusted by
 * more than a few seconds.
 *
 * <p>Every failure is reported, only some successes are. So reports drive the rule of consecutive
 * failures, for each says how many successes went unreported before it; exact digests drive the
 * rule of rates.
 */
public final class Health {
  static final long TRUSTED_AGE_MS = 10_000;

  private Health() {}

  /**
   * The health after something happened.
   *
   * @param health what is known now
   * @param circuitEvents what happened to the circuit, for the log
   */
  public record Step(EndpointHealth health, List<CircuitEvent> circuitEvents) {
    public Step {
      circuitEvents = List.copyOf(circuitEvents);
    }
  }

  /** A probe ended. One that was told before, or overtaken by a later one, changes nothing. */
  public static Step probed(
      EndpointHealth health,
      ProbeResult probe,
      long atMs,
      HealthPolicy policy,
      RandomGenerator random) {
    if (probe.endedAtMs() <= health.lastProbeAtMs() || stale(probe.endedAtMs(), atMs, policy)) {
      return timePassed(health, atMs, policy, random);
    }
    AttemptOutcome outcome = probe.outcome();
    boolean beforeState = startedMs(probe.endedAtMs(), probe.latencyMs()) < sinceMs(health);
    CircuitInput input =
        beforeState && health.circuit() instanceof Open
            ? CircuitInput.Probe.NEUTRAL
            : outcome.probeInput();
    Fold fold = new Fold(health, policy, random);
    fold.feed(input, atMs);
    fold.outcome(outcome, 0, atMs);
    // a prober whose clock is ahead must not make those of others look old
    long probedAtMs = Math.max(health.lastProbeAtMs(), Math.min(probe.endedAtMs(), atMs));
    return fold.step(chainIdSeen(health, probe), probedAtMs, atMs);
  }

  /** A process reported an attempt. */
  public static Step attempted(
      EndpointHealth health,
      Attempt attempt,
      long atMs,
      HealthPolicy policy,
      RandomGenerator random) {
    if (stale(attempt.endedAtMs(), atMs, policy)) {
      return timePassed(health, atMs, policy, random);
    }
    Fold fold = new Fold(health, policy, random);
    fold.feed(Time.PASSED, atMs);
    long endedMs = Math.clamp(attempt.endedAtMs(), atMs - TRUSTED_AGE_MS, atMs);
    boolean startedInState = startedMs(endedMs, attempt.latencyMs()) >= fold.circuit.sinceMs();
    AttemptOutcome outcome = attempt.outcome();
    boolean counts = outcome.succeeded() || outcome.penalised();
    if (counts && startedInState) {
      CircuitInput input =
          switch (fold.circuit) {
            case Closed _ -> new Reported(outcome.penalised(), attempt.successesBefore());
            case Open _ -> outcome.attemptInput(false);
            case HalfOpen _ -> outcome.succeeded() ? Trial.SUCCESS : Trial.FAILURE;
          };
      fold.feed(input, endedMs);
    }
    fold.outcome(outcome, attempt.successesBefore(), atMs);
    fold.learned = LearnedLimits.evolve(fold.learned, attempt, atMs, policy);
    return fold.step(health.chainIdSeen(), health.lastProbeAtMs(), atMs);
  }

  /** A process counted its attempts of one method over an interval. */
  public static Step counted(
      EndpointHealth health,
      LatencyDigest digest,
      long atMs,
      HealthPolicy policy,
      RandomGenerator random) {
    if (stale(digest.toMs(), atMs, policy)) {
      return timePassed(health, atMs, policy, random);
    }
    long penalised = digest.penalisedFailures();
    Fold fold = new Fold(health, policy, random);
    fold.feed(
        new Counted(digest.fromMs(), digest.toMs(), digest.successes(), penalised),
        Math.min(digest.toMs(), atMs));
    if (digest.successes() > 0 && penalised == 0 && digest.toMs() > health.lastErrorAtMs()) {
      fold.consecutiveFailures = 0;
    }
    return fold.step(health.chainIdSeen(), health.lastProbeAtMs(), atMs);
  }

  /** Time passed: open periods end, deadlines and learned limits expire. */
  public static Step timePassed(
      EndpointHealth health, long atMs, HealthPolicy policy, RandomGenerator random) {
    Fold fold = new Fold(health, policy, random);
    fold.feed(Time.PASSED, atMs);
    return fold.step(health.chainIdSeen(), health.lastProbeAtMs(), atMs);
  }

  private static boolean stale(long observedMs, long atMs, HealthPolicy policy) {
    return atMs - observedMs > policy.staleMs();
  }

  private static long startedMs(long endedAtMs, double latencyMs) {
    return endedAtMs - (long) Math.ceil(latencyMs);
  }

  private static long sinceMs(EndpointHealth health) {
    return health.circuit().sinceMs();
  }

  /** A wrong chain stays wrong until the right one is answered; no answer says nothing. */
  private static @Nullable Long chainIdSeen(EndpointHealth health, ProbeResult probe) {
    Long seen = probe.chainIdSeen();
    if (seen == null) {
      return health.chainIdSeen();
    }
    return seen == probe.chain().value() ? null : seen;
  }

  /** One step under way. */
  private static final class Fold {
    private final EndpointHealth before;
    private final HealthPolicy policy;
    private final RandomGenerator random;
    private final List<CircuitEvent> events = new ArrayList<>();
    private CircuitState circuit;
    private RateLimitState rateLimit;
    private int consecutiveFailures;
    private int consecutiveSuccesses;
    private @Nullable Failure lastError;
    private long lastErrorAtMs;
    private List<LearnedLimit> learned;

    Fold(EndpointHealth before, HealthPolicy policy, RandomGenerator random) {
      this.before = before;
      this.policy = policy;
      this.random = random;
      this.circuit = before.circuit();
      this.rateLimit = before.rateLimit();
      this.consecutiveFailures = before.consecutiveFailures();
      this.consecutiveSuccesses = before.consecutiveSuccesses();
      this.lastError = before.lastError();
      this.lastErrorAtMs = before.lastErrorAtMs();
      this.learned = before.learned();
    }

    void feed(CircuitInput input, long atMs) {
      List<CircuitEvent> decided = Circuit.decide(circuit, input, atMs, policy.circuit(), random);
      circuit = Circuit.evolve(circuit, decided, policy.circuit());
      events.addAll(decided);
    }

    void outcome(AttemptOutcome outcome, long successesBefore, long atMs) {
      rateLimit = rateLimit.evolve(outcome, atMs, policy.rateLimit());
      switch (outcome) {
        case AttemptOutcome.Success _ -> succeeded(successesBefore + 1);
        case Failure failure -> {
          succeeded(successesBefore);
          lastError = failure;
          lastErrorAtMs = atMs;
          if (outcome.penalised()) {
            consecutiveFailures++;
            consecutiveSuccesses = 0;
          }
        }
        case AttemptOutcome.Cancelled _ -> succeeded(successesBefore);
      }
    }

    private void succeeded(long times) {
      if (times > 0) {
        consecutiveFailures = 0;
        consecutiveSuccesses = (int) Math.min(consecutiveSuccesses + times, Integer.MAX_VALUE);
      }
    }

    Step step(@Nullable Long chainIdSeen, long lastProbeAtMs, long atMs) {
      EndpointHealth after =
          new EndpointHealth(
              before.chain(),
              circuit,
              rateLimit.evolve(atMs, policy.rateLimit()),
              consecutiveFailures,
              consecutiveSuccesses,
              chainIdSeen,
              lastError,
              lastErrorAtMs,
              lastProbeAtMs,
              LearnedLimits.unexpired(learned, atMs));
      return new Step(after, events);
    }
  }
}
