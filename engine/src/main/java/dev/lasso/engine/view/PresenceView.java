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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which processes are there, as the presence topic says. The tail's thread is the only writer;
 * reads are one volatile read from any thread.
 */
public final class PresenceView implements Service {
  private final ProcessContext context;
  private final long goneAfterMs;
  private final Map<PresenceKey, Presence> known = new HashMap<>();
  private volatile List<Presence> latest = List.of();
  private volatile @Nullable Silence silence;
  private volatile @Nullable TopicTail<Topic.Entry<PresenceKey, Presence>> tail;

  public PresenceView(ProcessContext context) {
    this.context = context;
    this.goneAfterMs = context.settings().get(PresenceSettings.GONE_AFTER).toMillis();
  }

  /**
   * The last heartbeat of every process alive at {@code nowMs}; while Kafka is away, and until each
   * has had time to be heard of again, of those that were alive when it went.
   */
  public List<Presence> alive(long nowMs) {
    long asOfMs = Math.min(nowMs, knownUntilMs(nowMs));
    return latest.stream().filter(presence -> asOfMs - presence.atMs() < goneAfterMs).toList();
  }

  private long knownUntilMs(long nowMs) {
    TopicTail<?> reading = tail;
    if (reading != null
        && reading.status() instanceof TailStatus.Degraded(String _, long sinceMs)) {
      return sinceMs;
    }
    Silence last = silence;
    return last != null && nowMs - last.endedAtMs() < goneAfterMs
        ? last.beganAtMs()
        : Long.MAX_VALUE;
  }

  /** A time in which nobody was heard of, not even this process: Kafka was away. */
  private record Silence(long beganAtMs, long endedAtMs) {}

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
    private long heardAtMs = Long.MAX_VALUE;

    @Override
    public void apply(TailBatch<Topic.Entry<PresenceKey, Presence>> batch) {
      long nowMs = context.clock().millis();
      if (nowMs - goneAfterMs > heardAtMs) {
        silence = new Silence(heardAtMs, nowMs);
      }
      heardAtMs = nowMs;
      for (TailRecord<Topic.Entry<PresenceKey, Presence>> record : batch.records()) {
        Presence presence = record.event().value();
        if (presence == null) {
          known.remove(record.event().key());
        } else {
          known.put(record.event().key(), presence);
        }
      }
      latest = List.copyOf(known.values());
    }

    @Override
    public void restarted(String topic) {
      known.clear();
      latest = List.of();
    }
  }
}
