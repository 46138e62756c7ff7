package dev.lasso.runtime.kafka;

import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The properties of a Streams application, tuned for milliseconds from input to output rather than
 * for throughput.
 */
final class StreamsSettings {
  private StreamsSettings() {}

  static Properties of(KafkaConnection connection, StreamsSpec spec, DeadLetters deadLetters) {
    Properties properties = new Properties();
    properties.putAll(connection.client(spec.name(), known()));
    properties.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG, connection.topic(spec.name()),
            StreamsConfig.STATE_DIR_CONFIG, spec.stateDirectory().toString(),
            StreamsConfig.NUM_STREAM_THREADS_CONFIG, spec.threads(),
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                spec.exactlyOnce() ? StreamsConfig.EXACTLY_ONCE_V2 : StreamsConfig.AT_LEAST_ONCE,
            StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, spec.commitInterval().toMillis(),
            // every change goes on at once; a cache would hold it back until the commit
            StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0,
            StreamsConfig.POLL_MS_CONFIG, 10));
    properties.putAll(
        Map.of(
            StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG),
            0,
            StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG),
            "zstd",
            StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
            ProducerLimits.MAX_REQUEST_BYTES,
            StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG),
            "earliest",
            StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG),
            10_000,
            StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
            3_000));
    properties.putAll(
        Map.of(
            StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
            DeadLetteringHandler.class,
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
            DeadLetteringHandler.class,
            DeadLetteringHandler.LETTERS,
            deadLetters,
            DeadLetteringHandler.READER,
            spec.name()));
    return properties;
  }

  private static Set<String> known() {
    Set<String> known = new TreeSet<>(StreamsConfig.configDef().names());
    known.addAll(ProducerConfig.configNames());
    known.addAll(ConsumerConfig.configNames());
    known.addAll(AdminClientConfig.configNames());
    return known;
  }
}
