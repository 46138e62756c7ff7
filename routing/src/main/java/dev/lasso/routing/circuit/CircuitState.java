package dev.lasso.routing.circuit;

/**
 * The circuit of one endpoint. Immutable; {@link Circuit#evolve} alone makes the next one. All
 * times are milliseconds since the epoch.
 */
public sealed interface CircuitState {
  /** The state without its counters, as last decided; an open period that ended still says open. */
  CircuitStatus status();

  /** When this state was entered; 0 for a circuit that never opened. */
  long sinceMs();

  /**
   * The state without its counters at a moment: an open circuit whose period is over is half-open
   * even before any input told it so. What selection reads.
   */
  default CircuitStatus statusAt(long atMs) {
    return this instanceof Open open && atMs >= open.untilMs() ? CircuitStatus.HALF_OPEN : status();
  }

  /**
   * The same, with everything so many milliseconds earlier; a closed one forgets what it counted.
   */
  default CircuitState earlier(long byMs) {
    return switch (this) {
      case Closed closed ->
          new Closed(
              Math.max(0, closed.sinceMs() - byMs),
              closed.window().emptied(),
              0,
              0,
              0,
              closed.openings());
      case Open open ->
          new Open(
              open.sinceMs() - byMs, open.untilMs() - byMs, open.reopenings(), open.openings());
      case HalfOpen halfOpen ->
          new HalfOpen(
              halfOpen.sinceMs() - byMs,
              halfOpen.successes(),
              halfOpen.reopenings(),
              halfOpen.openings());
    };
  }

  /** A circuit that knows nothing and trusts its endpoint. */
  static CircuitState initial(CircuitPolicy policy) {
    return new Closed(0, OutcomeWindow.empty(policy.windowMs()), 0, 0, 0, 0);
  }

  /**
   * The endpoint is used.
   *
   * @param sinceMs when it closed; 0 when it never opened
   * @param window successes and penalised failures of the last seconds
   * @param failuresInRow penalised failures of attempts since the last success
   * @param probeFailuresInRow penalised failures of probes since the last good one; kept apart,
   *     since a node may answer probes while it fails at real work, and the other way round
   * @param lastFailureAtMs when the last failure in the row ended; 0 when there is none
   * @param openings how often in a row it opened, each time soon after it had closed; 0 when it has
   *     been closed for long
   */
  record Closed(
      long sinceMs,
      OutcomeWindow window,
      int failuresInRow,
      int probeFailuresInRow,
      long lastFailureAtMs,
      int openings)
      implements CircuitState {
    @Override
    public CircuitStatus status() {
      return CircuitStatus.CLOSED;
    }
  }

  /**
   * The endpoint is left alone.
   *
   * @param sinceMs when it opened
   * @param untilMs when it turns half-open by itself
   * @param reopenings how often it reopened without closing
   * @param openings as in {@link Closed}, this opening included
   */
  record Open(long sinceMs, long untilMs, int reopenings, int openings) implements CircuitState {
    @Override
    public CircuitStatus status() {
      return CircuitStatus.OPEN;
    }
  }

  /**
   * The endpoint is tried with one request at a time (see {@link TrialPlaces}).
   *
   * @param sinceMs when it turned half-open
   * @param successes trial and probe successes so far
   * @param reopenings how often it reopened without closing
   * @param openings as in {@link Closed}
   */
  record HalfOpen(long sinceMs, int successes, int reopenings, int openings)
      implements CircuitState {
    @Override
    public CircuitStatus status() {
      return CircuitStatus.HALF_OPEN;
    }
  }
}
