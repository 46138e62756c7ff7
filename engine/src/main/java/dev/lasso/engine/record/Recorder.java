package dev.lasso.engine.record;

import dev.lasso.engine.record.RecorderMeters.Kind;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.RoutingDecision;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what event loops saw and sends it to the fleet from an agent thread. Handing over never
 * waits and never locks: when the queue is full the observation is dropped and counted. Failures
 * wake the agent at once; the rest is picked up within {@value #IDLE_MS} ms.
 *
 * <p>Public methods may be called from any thread.
 */
public final class Recorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final long IDLE_MS = 20;
  private static final long CLOSE_WITHIN_MS = 8_000;

  /** What the queue carries. */
  private sealed interface Observation {
    record Attempted(Attempt attempt) implements Observation {}

    record Decided(Supplier<RoutingDecision> decision) implements Observation {}
  }

  private final RecorderPolicy policy;
  private final RecordSink sink;
  private final InstantSource clock;
  private final RecorderMeters meters;
  private final BoundedQueue<Observation> queue;
  private final SecondBudget decisions;
  private final Sampling sampling;
  private final MethodNames methods;
  private final Digests digests;
  private final Thread agent = new Thread(this::run, "lasso-recorder");

  private long sendAgainAtMs;
  private volatile boolean closing;

  /**
   * A recorder that does nothing before {@link #start}.
   *
   * @param process the process's id
   * @param sink closed with the recorder
   */
  public Recorder(
      Region region,
      String process,
      RecorderPolicy policy,
      RecordSink sink,
      MeterRegistry registry,
      InstantSource clock) {
    this.policy = policy;
    this.sink = sink;
    this.clock = clock;
    this.meters = new RecorderMeters(registry);
    this.queue = new BoundedQueue<>(policy.queueCapacity());
    this.decisions = new SecondBudget(policy.decisionsPerSecond());
    this.sampling = new Sampling(policy.slowMs(), policy.successesPerSecond());
    this.methods = new MethodNames(policy.maxUnlistedMethods());
    this.digests = new Digests(region, process, policy.maxDigestKeys(), clock.millis());
    agent.setDaemon(true);
  }

  /** Starts the agent thread. */
  public void start() {
    agent.start();
  }

  /** An attempt ended. Its {@code successesBefore} is filled in here. */
  public void attempted(Attempt attempt) {
    if (!queue.offer(new Observation.Attempted(attempt))) {
      meters.dropped(Kind.ATTEMPT);
    } else if (attempt.outcome().penalised()) {
      LockSupport.unpark(agent);
    }
  }

  /**
   * Whether the decision behind a request that ended now is to be recorded: all failures, a budget
   * of the rest. Each true takes a place of the budget.
   */
  public boolean wantsDecision(boolean failed) {
    return failed || decisions.take(clock.millis());
  }

  /**
   * A request ended.
   *
   * @param decision is asked for on the agent thread, so it must read only what never changes
   */
  public void decided(Supplier<RoutingDecision> decision) {
    if (!queue.offer(new Observation.Decided(decision))) {
      meters.dropped(Kind.DECISION);
    }
  }

  private void run() {
    sink.prepare();
    while (!closing) {
      step();
      if (queue.size() == 0) {
        LockSupport.parkNanos(this, IDLE_MS * 1_000_000);
      }
    }
    step();
    sendAgainAtMs = 0;
    drainDigests(clock.millis());
  }

  /** Sends what is there. One call is one step of the agent. */
  void step() {
    for (Observation next = queue.poll(); next != null; next = queue.poll()) {
      try {
        handle(next);
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("observation could not be recorded");
      }
    }
    long nowMs = clock.millis();
    if (nowMs - digests.fromMs() >= policy.digestIntervalMs()) {
      try {
        drainDigests(nowMs);
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("digests could not be recorded");
      }
    }
  }

  private void handle(Observation observation) {
    switch (observation) {
      case Observation.Attempted(Attempt attempt) -> {
        meters.count(attempt);
        Attempt named = named(attempt);
        digests.add(named);
        Attempt chosen = sampling.choose(named);
        if (chosen != null) {
          sent(Kind.ATTEMPT, mayTrySending() && sink.send(chosen));
        }
      }
      case Observation.Decided(Supplier<RoutingDecision> decision) ->
          sent(Kind.DECISION, mayTrySending() && sink.send(decision.get()));
    }
  }

  private Attempt named(Attempt attempt) {
    String method = methods.kept(attempt.method());
    return method.equals(attempt.method())
        ? attempt
        : new Attempt(
            attempt.region(),
            attempt.process(),
            attempt.profile(),
            attempt.chain(),
            attempt.channel(),
            method,
            attempt.requestId(),
            attempt.endedAtMs(),
            attempt.latencyMs(),
            attempt.outcome(),
            attempt.blockRange(),
            attempt.successesBefore());
  }

  private void drainDigests(long nowMs) {
    int lost =
        digests.drain(
            nowMs,
            digest -> {
              boolean taken = mayTrySending() && sink.send(digest);
              if (!taken) {
                waitBeforeSending();
              }
              return taken;
            },
            policy.digestHoldMs());
    for (int i = 0; i < lost; i++) {
      meters.unsent(Kind.DIGEST);
    }
  }

  private boolean mayTrySending() {
    return clock.millis() >= sendAgainAtMs;
  }

  private void sent(Kind kind, boolean taken) {
    if (!taken) {
      meters.unsent(kind);
      waitBeforeSending();
    }
  }

  private void waitBeforeSending() {
    long nowMs = clock.millis();
    if (nowMs >= sendAgainAtMs) {
      sendAgainAtMs = nowMs + policy.retrySendMs();
    }
  }

  /** Sends what is still there and ends. Waits for some seconds at most. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(agent);
    try {
      agent.join(CLOSE_WITHIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sink.close();
  }
}
