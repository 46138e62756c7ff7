package dev.lasso.engine.settings;

import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The numbers of circuits. Every process reads the same ones, so that a gateway's own circuits and
 * the fleet's in health-service follow one rule.
 */
public final class CircuitSettings {
  private static final CircuitPolicy DEFAULT = CircuitPolicy.DEFAULT;

  private static final Setting<Integer> FAILURES =
      Setting.integer(
          "LASSO_CIRCUIT_FAILURES",
          DEFAULT.failuresToOpen(),
          1,
          1_000,
          "failures",
          "Penalised failures in a row that open a circuit.");

  private static final Setting<Integer> FAILURES_BUSY =
      Setting.integer(
          "LASSO_CIRCUIT_FAILURES_BUSY",
          DEFAULT.failuresToOpenBusy(),
          1,
          10_000,
          "failures",
          "The same for a busy endpoint, which is rather judged by its failure rate.");

  private static final Setting<Integer> BUSY_ATTEMPTS =
      Setting.integer(
          "LASSO_CIRCUIT_BUSY_ATTEMPTS",
          DEFAULT.busyAttempts(),
          1,
          1_000_000,
          "attempts",
          "Attempts within the window from which an endpoint is busy.");

  private static final Setting<Double> FAILURE_RATE =
      Setting.decimal(
          "LASSO_CIRCUIT_FAILURE_RATE",
          DEFAULT.failureRateToOpen(),
          0.01,
          1,
          "share",
          "Share of penalised failures within the window that opens a busy endpoint's "
              + "circuit.");

  private static final Setting<Duration> WINDOW =
      Setting.duration(
          "LASSO_CIRCUIT_WINDOW",
          Duration.ofMillis(DEFAULT.windowMs()),
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          "How far back attempts count for the failure rate.");

  private static final Setting<Duration> OPEN =
      Setting.duration(
          "LASSO_CIRCUIT_OPEN",
          Duration.ofMillis(DEFAULT.openMs()),
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "How long a circuit stays open the first time; doubles with every reopening.");

  private static final Setting<Duration> MAX_OPEN =
      Setting.duration(
          "LASSO_CIRCUIT_MAX_OPEN",
          Duration.ofMillis(DEFAULT.maxOpenMs()),
          Duration.ofMillis(100),
          Duration.ofDays(1),
          "Longest that a circuit stays open.");

  private static final Setting<Double> JITTER =
      Setting.decimal(
          "LASSO_CIRCUIT_JITTER",
          DEFAULT.jitter(),
          0,
          0.9,
          "share",
          "How much longer or shorter, at random, a circuit stays open, so that a fleet "
              + "does not try again at once.");

  private static final Setting<Integer> SUCCESSES =
      Setting.integer(
          "LASSO_CIRCUIT_SUCCESSES",
          DEFAULT.successesToClose(),
          1,
          1_000,
          "successes",
          "Trials and probes in a row that must go well before a half-open circuit " + "closes.");

  static final Setting<Integer> MAX_TRIALS =
      Setting.integer(
          "LASSO_HALF_OPEN_MAX_INFLIGHT",
          DEFAULT.halfOpenMaxInflight(),
          1,
          SelectionPolicy.MAX_TRIALS,
          "requests",
          "Trials at a time on a recovering provider, for each process.");

  private static final Setting<Duration> TRIAL_LEASE =
      Setting.duration(
          "LASSO_CIRCUIT_TRIAL_LEASE",
          Duration.ofMillis(DEFAULT.trialLeaseMs()),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          "How long a trial may be under way before its place is given to another.");

  private static final Setting<Duration> PROBE_WAIT =
      Setting.duration(
          "LASSO_CIRCUIT_PROBE_WAIT",
          Duration.ofMillis(DEFAULT.probeWaitMs()),
          Duration.ZERO,
          Duration.ofHours(1),
          "How long a circuit stays open at least before a probe that goes well makes it "
              + "half-open; doubles with every reopening and relapse.");

  private static final Setting<Duration> RELAPSE =
      Setting.duration(
          "LASSO_CIRCUIT_RELAPSE",
          Duration.ofMillis(DEFAULT.relapseMs()),
          Duration.ZERO,
          Duration.ofDays(1),
          "An opening within this time of the last closing counts as a relapse.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
              "Circuits",
              "Every process that calls providers, for its own circuits, and health-service "
                  + "for the fleet's.",
              List.of(
                  FAILURES,
                  FAILURES_BUSY,
                  BUSY_ATTEMPTS,
                  FAILURE_RATE,
                  WINDOW,
                  OPEN,
                  MAX_OPEN,
                  JITTER,
                  SUCCESSES,
                  MAX_TRIALS,
                  TRIAL_LEASE,
                  PROBE_WAIT,
                  RELAPSE))
          .notBelow(FAILURES_BUSY, FAILURES)
          .notBelow(MAX_OPEN, OPEN);

  private CircuitSettings() {}

  /** From a process's settings. */
  public static CircuitPolicy from(Settings settings) {
    return new CircuitPolicy(
        settings.get(FAILURES),
        settings.get(FAILURES_BUSY),
        settings.get(BUSY_ATTEMPTS),
        settings.get(FAILURE_RATE),
        settings.get(WINDOW).toMillis(),
        settings.get(OPEN).toMillis(),
        settings.get(MAX_OPEN).toMillis(),
        settings.get(JITTER),
        settings.get(SUCCESSES),
        settings.get(MAX_TRIALS),
        settings.get(TRIAL_LEASE).toMillis(),
        settings.get(PROBE_WAIT).toMillis(),
        settings.get(RELAPSE).toMillis());
  }
}
