package dev.lasso.runtime.kafka;

import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The properties of a Streams application, tuned for milliseconds from input to output rather than
 * for throughput.
 */
final class StreamsSettings {
  private static final int SEGMENT_BYTES = 16 * 1024 * 1024;

  private StreamsSettings() {}

  static Properties of(KafkaConnection connection, StreamsSpec spec, DeadLetters deadLetters) {
    Properties properties = new Properties();
    properties.putAll(
        connection.client(spec.name(), KafkaConnection.knownProperties(), tuning(spec)));
    properties.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            connection.topic(spec.name()),
            StreamsConfig.STATE_DIR_CONFIG,
            spec.stateDirectory().toString(),
            StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
            DeadLetteringHandler.class,
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
            DeadLetteringHandler.class,
            "processing.exception.handler.global.enabled",
            true,
            DeadLetteringHandler.LETTERS,
            deadLetters,
            DeadLetteringHandler.READER,
            spec.name()));
    return properties;
  }

  private static Map<String, Object> tuning(StreamsSpec spec) {
    return Map.ofEntries(
        Map.entry(StreamsConfig.NUM_STREAM_THREADS_CONFIG, spec.threads()),
        Map.entry(
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
            spec.exactlyOnce() ? StreamsConfig.EXACTLY_ONCE_V2 : StreamsConfig.AT_LEAST_ONCE),
        Map.entry(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, spec.commitInterval().toMillis()),
        // every change goes on at once; a cache would hold it back until the commit
        Map.entry(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0),
        Map.entry(StreamsConfig.POLL_MS_CONFIG, 10),
        Map.entry(ProducerConfig.LINGER_MS_CONFIG, 0),
        Map.entry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd"),
        Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, ProducerLimits.MAX_REQUEST_BYTES),
        Map.entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
        Map.entry(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) spec.session().toMillis()),
        Map.entry(
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            KafkaConnection.heartbeatMs(spec.session())),
        // a newcomer gets its share at once and restores it, which takes a moment since changelogs
        // are short; else it would warm up two tasks at a time and be given them ten minutes later
        Map.entry(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, Long.MAX_VALUE),
        // only whole segments are compacted: what a takeover must read is about two of them
        Map.entry(StreamsConfig.topicPrefix(TopicConfig.SEGMENT_BYTES_CONFIG), SEGMENT_BYTES));
  }
}
