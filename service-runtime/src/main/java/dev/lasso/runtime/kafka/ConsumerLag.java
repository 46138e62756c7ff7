package dev.lasso.runtime.kafka;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * How many records a process's consumers are behind, from what the clients themselves measure while
 * they read: asks Kafka nothing, may be called from any thread.
 */
public final class ConsumerLag {
  private static final String GROUP = "consumer-fetch-manager-metrics";
  private static final String RESTORING = "-restore-consumer";

  private ConsumerLag() {}

  /**
   * Records behind by topic, over the partitions assigned now. Topics of which nothing is measured
   * yet are left out, and so is what Streams reads to restore its stores.
   *
   * @param metrics of a consumer or of a Streams application
   * @param topicPrefix left out of the topics' names
   */
  public static Map<String, Long> of(
      Map<MetricName, ? extends Metric> metrics, String topicPrefix) {
    Map<String, Long> lag = new TreeMap<>();
    metrics.forEach(
        (name, metric) -> {
          String topic = name.tags().get("topic");
          if (topic != null
              && name.name().equals("records-lag")
              && name.group().equals(GROUP)
              && !name.tags().getOrDefault("client-id", "").endsWith(RESTORING)
              && metric.metricValue() instanceof Double records
              && !records.isNaN()) {
            lag.merge(shortened(topic, topicPrefix), Math.max(0, records.longValue()), Long::sum);
          }
        });
    return lag;
  }

  private static String shortened(String topic, String prefix) {
    // a client's metric tags have underscores where topics have dots
    String tagged = prefix.replace('.', '_');
    if (topic.startsWith(prefix)) {
      return topic.substring(prefix.length());
    }
    return topic.startsWith(tagged) ? topic.substring(tagged.length()) : topic;
  }
}
