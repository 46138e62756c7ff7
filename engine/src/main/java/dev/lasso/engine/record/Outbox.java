package dev.lasso.engine.record;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.Topic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Takes observations from event loops and sends them to their topic. It never makes the caller
 * wait: a thread of its own sends, from a bounded queue, and what finds no room or no broker is
 * dropped and counted. Any thread may offer.
 *
 * @param <V> the topic's values
 */
public final class Outbox<V> implements Service {
  private static final int QUEUED = 4_096;
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final ProcessContext context;
  private final Topic<?, V> topic;
  private final BlockingQueue<V> queue = new ArrayBlockingQueue<>(QUEUED);
  private final Counter sent;
  private final Counter dropped;
  private @Nullable Thread sender;

  /** An outbox that sends nothing yet. */
  public Outbox(ProcessContext context, Topic<?, V> topic) {
    this.context = context;
    this.topic = topic;
    MeterRegistry meters = context.metrics().registry();
    String word = topic.id().word();
    this.sent = RecordMeters.OUTBOX_SENT.counter(meters, word);
    this.dropped = RecordMeters.OUTBOX_DROPPED.counter(meters, word);
  }

  /** Takes an observation, or drops it when there is no room. Returns at once. */
  public void offer(V observation) {
    if (!queue.offer(observation)) {
      dropped.increment();
    }
  }

  @Override
  public String name() {
    return topic.id().word() + " outbox";
  }

  @Override
  public void start() {
    Producer<byte[], byte[]> producer =
        context
            .kafka()
            .producer(
                topic.id().word(),
                ProducerLimits.observations(),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    sender =
        Thread.ofPlatform()
            .daemon()
            .name("outbox-" + topic.id().word())
            .start(() -> send(producer));
  }

  @Override
  public void stop() throws InterruptedException {
    Thread thread = sender;
    if (thread != null) {
      thread.interrupt();
      thread.join(CLOSING.multipliedBy(2));
    }
  }

  private void send(Producer<byte[], byte[]> producer) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        send(producer, queue.take());
      }
    } catch (InterruptedException _) {
      // the end
    } finally {
      producer.close(CLOSING);
    }
  }

  private void send(Producer<byte[], byte[]> producer, V observation) {
    try {
      var _ =
          producer.send(
              topic.encoded(observation),
              (_, failure) -> {
                if (failure == null) {
                  sent.increment();
                } else {
                  dropped.increment();
                }
              });
    } catch (KafkaException e) {
      dropped.increment();
    }
  }
}
