package dev.lasso.routing.profile;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Another strategy or fewer providers for one method.
 *
 * @param strategy the strategy, or null for the profile's default
 * @param providers the only providers that may serve the method; empty for all
 */
public record MethodOverride(@Nullable StrategyName strategy, List<ProviderId> providers) {
  public MethodOverride {
    providers = List.copyOf(providers);
    if (strategy == null && providers.isEmpty()) {
      throw new IllegalArgumentException("method override must set strategy or providers");
    }
  }
}
