package dev.lasso.runtime;

import java.util.List;

/** The meters of this module, beside those of the JVM that Micrometer brings. */
public final class RuntimeMeters {
  static final MeterSpec REFUSED_METERS =
      MeterSpec.gauge(
          "lasso.metrics.refused.meters",
          "",
          "meters of which series were refused because they had too many");

  static final MeterSpec PROCESS =
      MeterSpec.gauge(
          "lasso.process.info",
          "",
          "always 1; the tags tell version and process",
          "version",
          "process");

  /** Records that could not be read. */
  public static final MeterSpec DEAD_LETTERS =
      MeterSpec.counter(
          "lasso.dead.letters",
          "records that could not be read and were set aside",
          "topic",
          "reader");

  /** Records that views have read. */
  public static final MeterSpec VIEW_RECORDS =
      MeterSpec.counter("lasso.view.records", "records that a view of a topic has read", "view");

  /** Whether views are up to date. */
  public static final MeterSpec VIEW_CURRENT =
      MeterSpec.gauge(
          "lasso.view.current", "", "1 while the view has read everything there is", "view");

  /** How far topologies are behind. */
  public static final MeterSpec TOPOLOGY_LAG =
      MeterSpec.gauge(
          "lasso.topology.lag",
          "records",
          "records that this process has yet to fold, over its partitions",
          "topology");

  /** Whether topologies run. */
  public static final MeterSpec TOPOLOGY_RUNNING =
      MeterSpec.gauge(
          "lasso.topology.running", "", "1 while the topology runs and Kafka answers", "topology");

  /** How far the machine's clock is from the time that the process keeps. */
  public static final MeterSpec CLOCK_AHEAD =
      MeterSpec.gauge(
          "lasso.clock.ahead",
          "seconds",
          "how far the machine's clock is ahead of the time that the process keeps; below 0 when"
              + " behind");

  /** All of them. */
  public static final List<MeterSpec> ALL =
      List.of(
          REFUSED_METERS,
          PROCESS,
          DEAD_LETTERS,
          VIEW_RECORDS,
          VIEW_CURRENT,
          TOPOLOGY_LAG,
          TOPOLOGY_RUNNING,
          CLOCK_AHEAD);

  private RuntimeMeters() {}
}
