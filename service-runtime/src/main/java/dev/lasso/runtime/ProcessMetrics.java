package dev.lasso.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * The meters of a process: a registry for everybody to add to, tagged with role and region, with
 * the meters of the JVM already in it and a limit on series per meter. Thread-safe. Close it with
 * the process.
 */
public final class ProcessMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();

  private ProcessMetrics(ProcessId process, int maxSeriesPerMeter) {
    SeriesLimit limit = new SeriesLimit(maxSeriesPerMeter);
    registry
        .config()
        .commonTags("role", process.role(), "region", process.region())
        .meterFilter(limit);
    garbageCollection.bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    RuntimeMeters.REFUSED_METERS.gauge(registry, limit, SeriesLimit::refusedMeters);
    RuntimeMeters.PROCESS.gauge(registry, process, _ -> 1, process.version(), process.process());
  }

  /** The meters of {@code process}, with at most 2,000 series for each meter name. */
  public static ProcessMetrics of(ProcessId process) {
    return new ProcessMetrics(process, 2_000);
  }

  static ProcessMetrics of(ProcessId process, int maxSeriesPerMeter) {
    return new ProcessMetrics(process, maxSeriesPerMeter);
  }

  /**
   * Where to register meters. Tags must come from closed sets: never a caller's method string, URL
   * or id.
   */
  public MeterRegistry registry() {
    return registry;
  }

  /** All meters in the Prometheus text format. Takes milliseconds; not for an event loop. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    garbageCollection.close();
    registry.close();
  }
}
