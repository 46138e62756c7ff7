package dev.lasso.routing.snapshot;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.errors.ErrorClassifier;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.facts.MethodPolicy;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.routing.select.ChainRoutes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A chain of a profile ready to serve. Immutable.
 *
 * @param settings the chain as its profile configures it
 * @param routes what selection reads
 * @param endpoints where the usable providers are, with their secrets; never to be printed
 * @param unusable providers that this process can't use, with the reason (a variable that its
 *     environment lacks)
 * @param methods which methods are served
 * @param classifiers of the providers that have error rules of their own
 * @param state the chain's heights, or null before the first one was published
 */
public record ActiveChain(
    ChainProfile settings,
    ChainRoutes routes,
    Map<ProviderId, ProviderEndpoint> endpoints,
    List<Resolution.Unusable> unusable,
    MethodPolicy methods,
    Map<ProviderId, ErrorClassifier> classifiers,
    @Nullable ChainState state) {
  public ActiveChain {
    endpoints = Map.copyOf(endpoints);
    unusable = List.copyOf(unusable);
    classifiers = Map.copyOf(classifiers);
  }

  /** Says what a provider's errors mean. */
  public ErrorClassifier classifier(ProviderId provider) {
    return classifiers.getOrDefault(provider, ErrorClassifier.standard());
  }
}
