package dev.lasso.routing.select;

import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LearnedLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the fleet knows of an endpoint, as far as selection reads it. Times are epoch milliseconds.
 *
 * @param circuit the fleet circuit when it was published
 * @param openUntilMs when an open circuit turns half-open
 * @param rateLimitedUntilMs end of the rate-limit deadline; 0 when none
 * @param wrongChainId the wrong chain id it answers, or null when it is right or not known
 * @param learned limits learned at run time
 * @param published what this was read from, for pages; null when nothing was published. Selection
 *     does not read it.
 */
public record FleetState(
    CircuitStatus circuit,
    long openUntilMs,
    long rateLimitedUntilMs,
    @Nullable Long wrongChainId,
    List<LearnedLimit> learned,
    @Nullable InstanceHealth published) {
  /** Nothing known: closed, not limited. */
  public static final FleetState UNKNOWN =
      new FleetState(CircuitStatus.CLOSED, 0, 0, null, List.of(), null);

  public FleetState {
    learned = List.copyOf(learned);
  }

  public static FleetState from(InstanceHealth health) {
    return new FleetState(
        health.circuit(),
        health.openUntilMs(),
        health.rateLimitedUntilMs(),
        health.chainIdSeen(),
        health.learned(),
        health);
  }

  /**
   * The circuit now: an open period that has passed counts as half-open even before the fleet says
   * so.
   */
  public CircuitStatus circuitAt(long nowMs) {
    return circuit == CircuitStatus.OPEN && nowMs >= openUntilMs
        ? CircuitStatus.HALF_OPEN
        : circuit;
  }
}
