package dev.lasso.routing.circuit;

/** Something that happened to a circuit. {@link Circuit#evolve} folds it into the state. */
public sealed interface CircuitEvent {
  /** When it happened, milliseconds since the epoch. */
  long atMs();

  /** An attempt succeeded and entered the window. */
  record AttemptSucceeded(long atMs) implements CircuitEvent {}

  /** An attempt failed in a penalised way and entered the window. */
  record AttemptFailed(long atMs) implements CircuitEvent {}

  /**
   * A process reported a failure.
   *
   * @param firstInRow whether a success came before it
   */
  record FailureReported(long atMs, boolean firstInRow) implements CircuitEvent {}

  /** A success was reported: the row of failures is over. */
  record RowEnded(long atMs) implements CircuitEvent {}

  /** Counts of an interval that ended at {@code atMs} entered the window. */
  record OutcomesCounted(long atMs, long successes, long failures) implements CircuitEvent {}

  /** A probe failed in a penalised way. */
  record ProbeFailed(long atMs) implements CircuitEvent {}

  /** A probe succeeded after failed ones. */
  record ProbesRecovered(long atMs) implements CircuitEvent {}

  /**
   * The circuit opened.
   *
   * @param untilMs when it turns half-open by itself
   * @param reopenings how often it reopened without closing
   * @param openings how often in a row it opened soon after it had closed, this one included
   * @param cause the rule that opened it
   */
  record Opened(long atMs, long untilMs, int reopenings, int openings, Cause cause)
      implements CircuitEvent {}

  /**
   * The circuit turned half-open.
   *
   * @param early whether a probe success ended the open period
   */
  record HalfOpened(long atMs, boolean early) implements CircuitEvent {}

  /** A trial or a probe succeeded while half-open. */
  record TrialSucceeded(long atMs) implements CircuitEvent {}

  /** The circuit closed. */
  record CircuitClosed(long atMs) implements CircuitEvent {}

  /** The rule that opened a circuit. */
  enum Cause {
    FAILURES_IN_ROW("failures_in_row"),
    PROBE_FAILURES_IN_ROW("probe_failures_in_row"),
    FAILURE_RATE("failure_rate"),
    TRIAL_FAILED("trial_failed");

    private final String word;

    Cause(String word) {
      this.word = word;
    }

    /** The word used in logs and metric tags. */
    public String word() {
      return word;
    }
  }
}
