package dev.lasso.replay.whatif;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.profile.Profile;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different.
 *
 * @param strategy ranks every request, or null to leave each its own
 * @param profile in force in place of the one with its slug, or null to leave profiles as they were
 * @param without providers that nobody is sent to
 */
public record Change(
    @Nullable StrategyName strategy, @Nullable Profile profile, Set<ProviderId> without) {
  public Change {
    without = Set.copyOf(without);
  }
}
