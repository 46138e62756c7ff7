package dev.lasso.replay.decide;

import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.snapshot.ActiveChain;
import org.jspecify.annotations.Nullable;

/** A recorded decision beside what the same rules make of the same inputs now. */
public sealed interface DecidedAgain {
  /** The decision as it was recorded. */
  RoutingDecision recorded();

  /**
   * It could be taken again.
   *
   * @param chain the chain as the deciding process held it
   * @param policy the numbers of selection that the process was set to
   * @param plan what selection decides now
   * @param difference what differs from the record, or null when nothing does, byte for byte
   */
  record Compared(
      RoutingDecision recorded,
      ActiveChain chain,
      SelectionPolicy policy,
      Plan plan,
      @Nullable String difference)
      implements DecidedAgain {
    public boolean same() {
      return difference == null;
    }
  }

  /**
   * It can't be taken again, because something that it was taken from is gone.
   *
   * @param why what is missing
   */
  record Undecidable(RoutingDecision recorded, String why) implements DecidedAgain {}
}
