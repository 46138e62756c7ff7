package dev.lasso.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

class ConsumerLagTest {
  private final Map<MetricName, Metric> metrics = new LinkedHashMap<>();

  private record Measured(MetricName metricName, Object metricValue) implements Metric {}

  private void measured(String name, String client, String topic, String partition, Object value) {
    MetricName metric =
        new MetricName(
            name,
            "consumer-fetch-manager-metrics",
            "",
            Map.of("client-id", client, "topic", topic, "partition", partition));
    metrics.put(metric, new Measured(metric, value));
  }

  @Test
  void addsUpThePartitionsOfATopic() {
    measured("records-lag", "c-consumer", "lasso.probes", "0", 3.0);
    measured("records-lag", "c-consumer", "lasso.probes", "1", 4.0);
    measured("records-lag", "c-consumer", "other", "0", 1.0);

    assertThat(ConsumerLag.of(metrics, "lasso.")).isEqualTo(Map.of("probes", 7L, "other", 1L));
  }

  @Test
  void leavesOutWhatIsNotMeasuredYetAndWhatRestores() {
    measured("records-lag", "c-consumer", "lasso.probes", "0", Double.NaN);
    measured("records-lag", "c-restore-consumer", "lasso.store-changelog", "0", 9.0);
    measured("records-lag-max", "c-consumer", "lasso.probes", "1", 9.0);
    measured("records-lag", "c-consumer", "lasso.probes", "2", "soon");

    assertThat(ConsumerLag.of(metrics, "lasso.")).isEmpty();
  }

  @Test
  void knowsTopicsWhoseDotsBecameUnderscores() {
    measured("records-lag", "c-consumer", "lasso_probes", "0", 2.0);

    assertThat(ConsumerLag.of(metrics, "lasso.")).isEqualTo(Map.of("probes", 2L));
  }
}
