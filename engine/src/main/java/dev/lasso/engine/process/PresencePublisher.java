package dev.lasso.engine.process;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.Presence;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.PresenceKey;
import dev.lasso.schemas.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the fleet that a role of this process is there: a heartbeat every so often, at once when
 * the process becomes ready or no longer is, and whenever {@link #announce()} is called; one that
 * says stopping and a tombstone at the end. A thread of its own sends; the suppliers are called on
 * it.
 */
public final class PresencePublisher implements Service {
  private static final Logger log = LoggerFactory.getLogger(PresencePublisher.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final ProcessContext context;
  private final String role;
  private final Supplier<Work> work;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("presence-", 0).factory());
  private volatile boolean stopping;

  /** What Kafka has, or will have, of this; null when it has nothing. */
  private volatile Readiness.@Nullable State said;

  private long saidAtNs;
  private @Nullable Producer<byte[], byte[]> producer;

  /**
   * What a role says of itself.
   *
   * @param address host:port of its HTTP side, or null when it has none
   * @param assignment what it works on, readable
   * @param wantedLogs chains whose logs it needs
   * @param wantedHeads chains whose headers it needs
   * @param lag records behind, by topic
   */
  public record Work(
      @Nullable String address,
      List<String> assignment,
      Set<ChainId> wantedLogs,
      Set<ChainId> wantedHeads,
      Map<String, Long> lag) {
    /** Only an address. */
    public static Work at(@Nullable String address) {
      return new Work(address, List.of(), Set.of(), Set.of(), Map.of());
    }

    /** An assignment and how far behind it is. */
    public static Work on(List<String> assignment, Map<String, Long> lag) {
      return new Work(null, assignment, Set.of(), Set.of(), lag);
    }
  }

  /**
   * A publisher for one role.
   *
   * @param work asked at each heartbeat; must be quick and thread-safe
   */
  public PresencePublisher(ProcessContext context, String role, Supplier<Work> work) {
    this.context = context;
    this.role = role;
    this.work = work;
  }

  @Override
  public String name() {
    return role + " presence";
  }

  @Override
  public void start() {
    producer =
        context
            .kafka()
            .producer(
                role + "-presence",
                ProducerLimits.observations(),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    Duration interval = context.settings().get(PresenceSettings.INTERVAL);
    long lookNs = Math.min(LOOK_EVERY.toNanos(), interval.toNanos());
    var _ =
        timer.scheduleWithFixedDelay(
            () -> beatIfDue(interval.toNanos()), 0, lookNs, TimeUnit.NANOSECONDS);
  }

  /** Sends a heartbeat soon, because something in it changed. Thread-safe, returns at once. */
  public void announce() {
    if (!stopping) {
      timer.execute(this::beat);
    }
  }

  /** Sends a heartbeat that says stopping, so that nobody sends new work here. */
  public void announceStopping() {
    stopping = true;
    timer.execute(this::beat);
  }

  @Override
  public void stop() throws InterruptedException {
    stopping = true;
    timer.execute(this::sayGone);
    timer.shutdown();
    if (!timer.awaitTermination(2, TimeUnit.SECONDS)) {
      timer.shutdownNow();
    }
    if (producer != null) {
      producer.close(Duration.ofSeconds(1));
    }
  }

  private void beatIfDue(long intervalNs) {
    unlessItFails(
        "heartbeat",
        () -> {
          if (context.readiness().report().state() != said
              || System.nanoTime() - saidAtNs >= intervalNs) {
            sendHeartbeat();
          }
        });
  }

  private void beat() {
    unlessItFails("heartbeat", this::sendHeartbeat);
  }

  private void sayGone() {
    unlessItFails("farewell", this::sendFarewell);
  }

  private void unlessItFails(String what, Runnable sending) {
    try {
      sending.run();
    } catch (RuntimeException e) {
      log.atDebug()
          .setCause(e)
          .addKeyValue("role", role)
          .addKeyValue("what", what)
          .log("presence not sent");
    }
  }

  private void sendHeartbeat() {
    Work current = work.get();
    Readiness.Report report = context.readiness().report();
    said = report.state();
    saidAtNs = System.nanoTime();
    send(
        context
            .topics()
            .presence()
            .encoded(
                new Presence(
                    context.region(),
                    role,
                    context.id().process(),
                    context.id().version(),
                    context.id().startedAt().toEpochMilli(),
                    context.clock().millis(),
                    stopping,
                    current.address(),
                    current.assignment(),
                    current.wantedLogs().stream().sorted().toList(),
                    current.wantedHeads().stream().sorted().toList(),
                    current.lag(),
                    report.state().word(),
                    report.reasons())),
        // the first is lost when the producer does not know the topic yet; so it is said again
        () -> said = null);
  }

  private void sendFarewell() {
    Topic<PresenceKey, Presence> topic = context.topics().presence();
    PresenceKey key = new PresenceKey(context.region(), role, context.id().process());
    send(topic.encodedTombstone(key, context.clock().millis()), () -> {});
  }

  private void send(ProducerRecord<byte[], byte[]> record, Runnable lost) {
    Producer<byte[], byte[]> current = producer;
    if (current != null) {
      var _ =
          current.send(
              record,
              (_, trouble) -> {
                if (trouble != null) {
                  lost.run();
                }
              });
    }
  }
}
