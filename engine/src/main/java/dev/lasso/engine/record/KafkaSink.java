package dev.lasso.engine.record;

import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to their topics at once. When Kafka does not take them it waits a little, at most
 * as long as the producer may block, and gives them up: nothing is worth stalling for.
 */
public final class KafkaSink implements RecordSink {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSink.class);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

  private final TopicCatalogue topics;
  private final Producer<byte[], byte[]> producer;
  private final Counter undelivered;

  /**
   * @param producer of this sink alone; {@link ByteArraySerializer} on both sides, no linger, a
   *     short {@code max.block.ms}. Closed with the sink
   */
  public KafkaSink(TopicCatalogue topics, Producer<byte[], byte[]> producer, MeterRegistry meters) {
    this.topics = topics;
    this.producer = producer;
    this.undelivered = RecordMeters.UNDELIVERED.counter(meters);
  }

  /** Asks for the metadata of the topics, so that the first records need not wait for it. */
  @Override
  public void prepare() {
    for (Topic<?, ?> topic :
        List.of(topics.attempts(), topics.latencyDigests(), topics.routingDecisions())) {
      try {
        producer.partitionsFor(topic.name());
      } catch (KafkaException e) {
        LOG.atDebug().addKeyValue("topic", topic.name()).setCause(e).log("topic not known yet");
      }
    }
  }

  @Override
  public boolean send(Attempt attempt) {
    return send(topics.attempts().encoded(attempt));
  }

  @Override
  public boolean send(LatencyDigest digest) {
    return send(topics.latencyDigests().encoded(digest));
  }

  @Override
  public boolean send(RoutingDecision decision) {
    return send(topics.routingDecisions().encoded(decision));
  }

  /** A record that Kafka has no room or no metadata for fails before {@code send} returns. */
  private boolean send(ProducerRecord<byte[], byte[]> record) {
    Thread agent = Thread.currentThread();
    try {
      Future<RecordMetadata> sending =
          producer.send(
              record,
              (metadata, failure) -> {
                if (failure != null && !Thread.currentThread().equals(agent)) {
                  undelivered.increment();
                }
              });
      return !sending.isDone() || sending.state() != Future.State.FAILED;
    } catch (KafkaException e) {
      LOG.atDebug().addKeyValue("topic", record.topic()).setCause(e).log("record not taken");
      return false;
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE_WITHIN);
  }
}
