package dev.lasso.routing.profile;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Another strategy, fewer providers or another hedge for one method.
 *
 * @param strategy the strategy, or null for the profile's default
 * @param providers the only providers that may serve the method; empty for all
 * @param hedge when a second attempt runs beside a slow first one, or null for the chain's rule
 */
public record MethodOverride(
    @Nullable StrategyName strategy, List<ProviderId> providers, @Nullable Hedge hedge) {
  public MethodOverride {
    providers = List.copyOf(providers);
    if (strategy == null && providers.isEmpty() && hedge == null) {
      throw new IllegalArgumentException("method override must set strategy, providers or hedge");
    }
  }
}
