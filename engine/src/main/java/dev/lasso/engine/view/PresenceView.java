package dev.lasso.engine.view;

import dev.lasso.engine.process.PresenceSettings;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.event.Presence;
import dev.lasso.runtime.Condition;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.TailBatch;
import dev.lasso.runtime.kafka.TailHandler;
import dev.lasso.runtime.kafka.TailRecord;
import dev.lasso.runtime.kafka.TailSpec;
import dev.lasso.runtime.kafka.TailStart;
import dev.lasso.runtime.kafka.TailStatus;
import dev.lasso.runtime.kafka.TopicTail;
import dev.lasso.schemas.PresenceKey;
import dev.lasso.schemas.Topic;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which processes are there, as the presence topic says. The tail's thread is the only writer;
 * reads are one volatile read from any thread.
 */
public final class PresenceView implements Service {
  private final ProcessContext context;
  private final KnownProcesses processes;
  private final List<Consumer<Presence>> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable TopicTail<Topic.Entry<PresenceKey, Presence>> tail;

  public PresenceView(ProcessContext context) {
    this.context = context;
    this.processes =
        new KnownProcesses(
            context.settings().get(PresenceSettings.GONE_AFTER).toMillis(),
            context.settings().get(PresenceSettings.FORGOTTEN_AFTER).toMillis());
  }

  /**
   * The last heartbeat of every process alive at {@code nowMs}; while Kafka is away, and until each
   * has had time to be heard of again, of those that were alive when it went.
   */
  public List<Presence> alive(long nowMs) {
    return processes.alive(nowMs, awaySinceMs());
  }

  /** Those silent for so long that nobody need know of them any more. */
  List<PresenceKey> forgotten(long nowMs) {
    return processes.forgotten(nowMs, System.nanoTime(), awaySinceMs());
  }

  private @Nullable Long awaySinceMs() {
    TopicTail<?> reading = tail;
    return reading != null
            && reading.status() instanceof TailStatus.Degraded(String _, long sinceMs)
        ? sinceMs
        : null;
  }

  /** Those of one role in this process's region that are alive and not draining. */
  public List<Presence> serving(String role, long nowMs) {
    return alive(nowMs).stream()
        .filter(
            presence ->
                presence.role().equals(role)
                    && !presence.stopping()
                    && presence.region().equals(context.region()))
        .toList();
  }

  /**
   * Tells of every heartbeat as it is heard, on the reader's thread, not of those that were there
   * before; must be quick.
   */
  public void onHeartbeat(Consumer<Presence> listener) {
    listeners.add(listener);
  }

  /** How well the topic can be read. */
  public Condition condition() {
    TopicTail<?> reading = tail;
    return reading == null ? Condition.notReady("not started") : reading.condition();
  }

  @Override
  public String name() {
    return "presence view";
  }

  /** Begins to read; returns at once. */
  @Override
  public void start() {
    Topic<PresenceKey, Presence> topic = context.topics().presence();
    tail =
        TopicTail.start(
            context.kafka(),
            new TailSpec<>(
                "presence-view",
                List.of(topic.name()),
                new TailStart.Beginning(),
                topic::read,
                new Handler()),
            context.deadLetters(),
            context.metrics().registry(),
            context.clock());
  }

  @Override
  public void stop() {
    TopicTail<?> reading = tail;
    if (reading != null) {
      reading.close();
    }
  }

  private final class Handler implements TailHandler<Topic.Entry<PresenceKey, Presence>> {
    @Override
    public void apply(TailBatch<Topic.Entry<PresenceKey, Presence>> batch) {
      long nowNs = System.nanoTime();
      long nowMs = context.clock().millis();
      TopicTail<?> reading = tail;
      boolean current = reading != null && reading.status() instanceof TailStatus.Current;
      for (TailRecord<Topic.Entry<PresenceKey, Presence>> record : batch.records()) {
        Presence presence = record.event().value();
        if (presence == null) {
          processes.leave(record.event().key());
        } else {
          // one that is heard now is of now, whatever its sender's clock says
          long atMs = current ? nowMs : Math.min(presence.atMs(), nowMs);
          processes.read(record.event().key(), presence, atMs, nowNs);
          if (current) {
            listeners.forEach(listener -> listener.accept(presence));
          }
        }
      }
      processes.heard(nowMs, nowNs);
    }

    @Override
    public void restarted(String topic) {
      processes.clear();
    }
  }
}
