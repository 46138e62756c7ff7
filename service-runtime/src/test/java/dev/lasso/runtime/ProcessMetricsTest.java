package dev.lasso.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.ManualClock;
import org.junit.jupiter.api.Test;

class ProcessMetricsTest {
  private static final ProcessId PROCESS = ProcessId.starting("gateway", "eu", new ManualClock());

  @Test
  void everyMeterTellsRoleAndRegion() {
    try (ProcessMetrics metrics = ProcessMetrics.of(PROCESS)) {
      metrics.registry().counter("lasso.requests", "outcome", "success").increment();

      assertThat(metrics.scrape())
          .contains("lasso_requests_total{outcome=\"success\",region=\"eu\",role=\"gateway\"} 1.0")
          .contains("jvm_memory_used_bytes")
          .contains("lasso_process_info{");
    }
  }

  @Test
  void aMeterWithTooManySeriesGetsNoMore() {
    try (ProcessMetrics metrics = ProcessMetrics.of(PROCESS, 40)) {
      for (int value = 0; value < 60; value++) {
        metrics.registry().counter("careless", "caller", Integer.toString(value)).increment();
      }

      assertThat(metrics.scrape().lines().filter(line -> line.startsWith("careless_total{")))
          .hasSize(40);
      assertThat(metrics.scrape())
          .contains("lasso_metrics_refused_meters{region=\"eu\",role=\"gateway\"} 1.0");
    }
  }
}
