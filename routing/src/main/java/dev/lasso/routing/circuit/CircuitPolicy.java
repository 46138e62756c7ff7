package dev.lasso.routing.circuit;

/**
 * The numbers of a circuit (routing page, "Circuit").
 *
 * @param failuresToOpen penalised failures in a row that open it
 * @param failuresToOpenBusy the same for a busy endpoint, which is rather judged by rate
 * @param busyAttempts attempts in the window from which an endpoint is busy and its rate is judged
 * @param failureRateToOpen share of penalised failures in the window that opens it, above 0 to 1
 * @param windowMs length of the window; it moves in tenths
 * @param openMs first open period
 * @param maxOpenMs longest open period, before jitter
 * @param jitter share by which an open period is randomly longer or shorter, 0 to below 1
 * @param successesToClose trial and probe successes that close it
 * @param halfOpenMaxInflight trials at a time in one process
 * @param trialLeaseMs how long a trial place may be held before it counts as given back
 * @param probeWaitMs how long it stays open at least before a probe success may end the period;
 *     doubles with every reopening and with every relapse, so that a node that answers probes but
 *     fails at real work is tried ever less often
 * @param relapseMs an opening within this time of the last closing is a relapse
 */
public record CircuitPolicy(
    int failuresToOpen,
    int failuresToOpenBusy,
    int busyAttempts,
    double failureRateToOpen,
    long windowMs,
    long openMs,
    long maxOpenMs,
    double jitter,
    int successesToClose,
    int halfOpenMaxInflight,
    long trialLeaseMs,
    long probeWaitMs,
    long relapseMs) {
  public static final CircuitPolicy DEFAULT =
      new CircuitPolicy(5, 10, 20, 0.5, 10_000, 30_000, 600_000, 0.1, 2, 1, 60_000, 1_000, 60_000);

  /**
   * @throws IllegalArgumentException naming the number that is out of range
   */
  public CircuitPolicy {
    require(failuresToOpen >= 1, "failuresToOpen must be 1 or greater", failuresToOpen);
    require(
        failuresToOpenBusy >= failuresToOpen,
        "failuresToOpenBusy must not be below failuresToOpen",
        failuresToOpenBusy);
    require(busyAttempts >= 1, "busyAttempts must be 1 or greater", busyAttempts);
    require(
        failureRateToOpen > 0 && failureRateToOpen <= 1,
        "failureRateToOpen must be above 0 and at most 1",
        failureRateToOpen);
    require(windowMs >= 10, "windowMs must be 10 or greater", windowMs);
    require(openMs >= 1, "openMs must be 1 or greater", openMs);
    require(maxOpenMs >= openMs, "maxOpenMs must not be below openMs", maxOpenMs);
    require(jitter >= 0 && jitter < 1, "jitter must be 0 or greater and below 1", jitter);
    require(successesToClose >= 1, "successesToClose must be 1 or greater", successesToClose);
    require(
        halfOpenMaxInflight >= 1, "halfOpenMaxInflight must be 1 or greater", halfOpenMaxInflight);
    require(trialLeaseMs >= 1, "trialLeaseMs must be 1 or greater", trialLeaseMs);
    require(probeWaitMs >= 0, "probeWaitMs must not be negative", probeWaitMs);
    require(relapseMs >= 0, "relapseMs must not be negative", relapseMs);
  }

  /** The open period before jitter, in milliseconds. */
  public long openMs(int reopenings) {
    return doubled(openMs, reopenings, maxOpenMs);
  }

  /** How long the circuit stays open at least, whatever probes say, in milliseconds. */
  long probeWaitMs(int reopenings, int openings) {
    return doubled(probeWaitMs, reopenings + openings - 1, openMs(reopenings));
  }

  private static long doubled(long startMs, int times, long maxMs) {
    double grown = Math.scalb((double) startMs, Math.min(Math.max(times, 0), 62));
    return (long) Math.min(grown, (double) maxMs);
  }

  private static void require(boolean holds, String expectation, Number was) {
    if (!holds) {
      throw new IllegalArgumentException(expectation + ", was " + was);
    }
  }
}
