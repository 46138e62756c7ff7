package dev.lasso.routing.circuit;

/**
 * The trials that one process has under way at one endpoint that its own circuit or the fleet's
 * calls half-open. Immutable. A place is given back when the trial ends, however it ends: success,
 * failure, neutral answer, cancelled. One that is never given back is free again after its lease,
 * so a lost one costs a lease and not the endpoint.
 *
 * @param taken places taken
 * @param leaseEndsMs when the lease of the last one taken ends, milliseconds since the epoch
 */
public record TrialPlaces(int taken, long leaseEndsMs) {
  public static final TrialPlaces NONE_TAKEN = new TrialPlaces(0, 0);

  /** Whether a trial may start. */
  public boolean free(long atMs, CircuitPolicy policy) {
    return taken < policy.halfOpenMaxInflight() || atMs >= leaseEndsMs;
  }

  /**
   * A trial starts.
   *
   * @throws IllegalStateException when no place is free
   */
  public TrialPlaces take(long atMs, CircuitPolicy policy) {
    if (!free(atMs, policy)) {
      throw new IllegalStateException("no trial place is free");
    }
    int stillTaken = atMs >= leaseEndsMs ? 0 : taken;
    return new TrialPlaces(stillTaken + 1, atMs + policy.trialLeaseMs());
  }

  /** A trial ended. */
  public TrialPlaces giveBack() {
    return taken <= 1 ? NONE_TAKEN : new TrialPlaces(taken - 1, leaseEndsMs);
  }
}
