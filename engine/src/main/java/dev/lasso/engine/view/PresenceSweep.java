package dev.lasso.engine.view;

import dev.lasso.engine.process.PresenceSettings;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.event.Presence;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.PresenceKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says farewell for processes that were killed before they could: the first of the living, by name,
 * writes their tombstones, so that the presence topic keeps no key for ever. Should two take
 * themselves for the first, or one forgotten come back, the next heartbeat puts it right. A thread
 * of its own, which makes its producer when there is something to write.
 */
public final class PresenceSweep implements Service {
  private static final Logger log = LoggerFactory.getLogger(PresenceSweep.class);
  private static final Comparator<Presence> BY_NAME =
      Comparator.comparing((Presence one) -> one.region().value())
          .thenComparing(Presence::role)
          .thenComparing(Presence::process);

  private final ProcessContext context;
  private final PresenceView view;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("presence-sweep-", 0).factory());

  /** Sweeps what the view has seen. */
  public PresenceSweep(ProcessContext context, PresenceView view) {
    this.context = context;
    this.view = view;
  }

  @Override
  public String name() {
    return "presence sweep";
  }

  @Override
  public void start() {
    long everyMs = context.settings().get(PresenceSettings.GONE_AFTER).toMillis();
    var _ = timer.scheduleWithFixedDelay(this::sweep, everyMs, everyMs, TimeUnit.MILLISECONDS);
  }

  @Override
  public void stop() throws InterruptedException {
    timer.shutdownNow();
    if (!timer.awaitTermination(2, TimeUnit.SECONDS)) {
      log.atDebug().log("presence sweep did not end in time");
    }
  }

  private void sweep() {
    try {
      long nowMs = context.clock().millis();
      List<PresenceKey> forgotten = view.forgotten(nowMs);
      if (!forgotten.isEmpty() && first(view.alive(nowMs))) {
        sayGone(forgotten, nowMs);
      }
    } catch (KafkaException e) {
      log.atDebug().setCause(e).log("farewells not sent");
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("presence can't be swept");
    }
  }

  private boolean first(List<Presence> alive) {
    return alive.stream()
        .min(BY_NAME)
        .filter(one -> one.process().equals(context.id().process()))
        .isPresent();
  }

  private void sayGone(List<PresenceKey> forgotten, long nowMs) {
    Producer<byte[], byte[]> producer =
        context
            .kafka()
            .producer(
                "presence-sweep",
                ProducerLimits.acknowledged(),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    try {
      forgotten.forEach(
          key -> {
            var _ = producer.send(context.topics().presence().encodedTombstone(key, nowMs));
          });
      producer.flush();
    } finally {
      producer.close(Duration.ofSeconds(1));
    }
  }
}
