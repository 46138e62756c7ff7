package dev.lasso.routing.circuit;

/**
 * What a circuit is told. A process tells its own circuit every attempt as {@link Attempt} or, when
 * the attempt held a trial place, as {@link Trial}; the fleet's circuit is told what processes
 * report.
 */
public sealed interface CircuitInput {
  /** An attempt of the circuit's own process ended. Feeds both rules. */
  enum Attempt implements CircuitInput {
    SUCCESS,
    FAILURE,
    NEUTRAL
  }

  /** An attempt that began while the circuit was half-open ended. */
  enum Trial implements CircuitInput {
    SUCCESS,
    FAILURE,
    NEUTRAL
  }

  /** A probe ended. */
  enum Probe implements CircuitInput {
    SUCCESS,
    FAILURE,
    NEUTRAL
  }

  /** Time passed, and nothing else. */
  enum Time implements CircuitInput {
    PASSED
  }

  /**
   * Some process reported one attempt. Feeds the rule of consecutive failures only: successes are
   * sampled, so a rate over reports would be wrong.
   *
   * @param failed whether it was a penalised failure; otherwise it was a success
   * @param successesBefore unreported successes of that process since its previous report
   */
  record Reported(boolean failed, long successesBefore) implements CircuitInput {}

  /**
   * Some process counted its attempts over an interval, exactly. Feeds the rate rule, and ends a
   * row of failures that its successes came after.
   *
   * @param fromMs start, inclusive
   * @param toMs end, exclusive
   * @param successes how many succeeded
   * @param failures how many failed in a penalised way
   */
  record Counted(long fromMs, long toMs, long successes, long failures) implements CircuitInput {}
}
