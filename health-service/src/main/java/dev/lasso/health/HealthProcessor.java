package dev.lasso.health;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Region;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.health.EndpointHealth;
import dev.lasso.routing.health.Health;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.schemas.EndpointKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Folds what is told about the endpoints of one partition and publishes what changed. The Streams
 * task owns it. It works on a copy of the store in its own memory: what matters is written through
 * at once, counters when the clock ticks, so a crash loses less than a tick of counting.
 *
 * <p>The clock is the process's wall clock: an open period must end even when nothing is told.
 */
final class HealthProcessor
    implements Processor<EndpointKey, HealthInput, EndpointKey, InstanceHealth> {
  static final String STORE = "endpoint-health";

  private static final Duration TICK = Duration.ofMillis(200);

  /**
   * An endpoint that nothing was told about for this long is in no profile any more: twice the
   * longest interval between probes that a profile may ask for.
   */
  private static final long FORGOTTEN_MS = 7_200_000;

  private final Region region;
  private final HealthPolicy policy;
  private final RandomGenerator random;
  private final Share share;
  private final long refreshMs;
  private final Map<EndpointKey, Known> endpoints = new HashMap<>();
  private @Nullable ProcessorContext<EndpointKey, InstanceHealth> context;
  private @Nullable KeyValueStore<EndpointKey, EndpointHealth> store;

  /**
   * @param refreshMs how old what was last published of an endpoint may become
   */
  HealthProcessor(
      Region region, HealthPolicy policy, RandomGenerator random, Share share, long refreshMs) {
    this.region = region;
    this.policy = policy;
    this.random = random;
    this.share = share;
    this.refreshMs = refreshMs;
  }

  /** What is known of one endpoint, and what others were told of it. */
  private static final class Known {
    private EndpointHealth health;
    private long toldAtMs;
    private boolean unsaved;
    private @Nullable InstanceHealth published;

    private Known(EndpointHealth health, long toldAtMs) {
      this.health = health;
      this.toldAtMs = toldAtMs;
    }
  }

  @Override
  public void init(ProcessorContext<EndpointKey, InstanceHealth> given) {
    context = given;
    store = given.getStateStore(STORE);
    endpoints.clear();
    try (KeyValueIterator<EndpointKey, EndpointHealth> all = store().all()) {
      while (all.hasNext()) {
        KeyValue<EndpointKey, EndpointHealth> entry = all.next();
        if (entry.value != null) {
          EndpointHealth health = entry.value.withoutFuture(nowMs());
          endpoints.put(entry.key, new Known(health, nowMs()));
          share.circuit(entry.key, health.circuit().status());
        }
      }
    }
    given.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, _ -> tick());
    share.add(given.taskId().partition());
  }

  @Override
  public void process(Record<EndpointKey, HealthInput> told) {
    EndpointKey key = told.key();
    HealthInput input = told.value();
    if (key == null || input == null || !key.region().equals(region)) {
      return;
    }
    long nowMs = nowMs();
    Known known =
        endpoints.computeIfAbsent(
            key, _ -> new Known(EndpointHealth.unknown(chain(input), policy), nowMs));
    known.toldAtMs = nowMs;
    Health.Step step =
        switch (input) {
          case HealthInput.Probed(var probe) ->
              Health.probed(known.health, probe, nowMs, policy, random);
          case HealthInput.Attempted(var attempt) ->
              Health.attempted(known.health, attempt, nowMs, policy, random);
          case HealthInput.Counted(var digest) ->
              Health.counted(known.health, digest, nowMs, policy, random);
        };
    take(key, known, step, nowMs);
  }

  @Override
  public void close() {
    if (context != null) {
      share.remove(context.taskId().partition());
    }
  }

  private void tick() {
    long nowMs = nowMs();
    Iterator<Map.Entry<EndpointKey, Known>> all = endpoints.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<EndpointKey, Known> entry = all.next();
      Known known = entry.getValue();
      known.toldAtMs = Math.min(known.toldAtMs, nowMs);
      if (nowMs - known.toldAtMs >= FORGOTTEN_MS) {
        all.remove();
        share.circuit(entry.getKey(), CircuitStatus.CLOSED);
        store().delete(entry.getKey());
        context().forward(new Record<>(entry.getKey(), null, nowMs));
        continue;
      }
      EndpointHealth health = known.health.withoutFuture(nowMs);
      take(entry.getKey(), known, Health.timePassed(health, nowMs, policy, random), nowMs);
      if (known.unsaved) {
        save(entry.getKey(), known);
      }
    }
  }

  private void take(EndpointKey key, Known known, Health.Step step, long nowMs) {
    EndpointHealth before = known.health;
    known.health = step.health();
    known.unsaved |= !step.health().equals(before);
    HealthLog.changed(key, before, step.health(), step.circuitEvents());
    InstanceHealth now = step.health().toInstanceHealth(region, key.endpoint(), nowMs, policy);
    share.circuit(key, now.circuit());
    if (Publication.due(known.published, now, refreshMs)) {
      known.published = now;
      save(key, known);
      context().forward(new Record<>(key, now, nowMs));
    }
  }

  private void save(EndpointKey key, Known known) {
    store().put(key, known.health);
    known.unsaved = false;
  }

  private long nowMs() {
    return context().currentSystemTimeMs();
  }

  private ProcessorContext<EndpointKey, InstanceHealth> context() {
    return Objects.requireNonNull(context, "not initialised");
  }

  private KeyValueStore<EndpointKey, EndpointHealth> store() {
    return Objects.requireNonNull(store, "not initialised");
  }

  private static ChainId chain(HealthInput input) {
    return switch (input) {
      case HealthInput.Probed(var probe) -> probe.chain();
      case HealthInput.Attempted(var attempt) -> attempt.chain();
      case HealthInput.Counted(var digest) -> digest.chain();
    };
  }
}
