package dev.lasso.routing.profile;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;

/**
 * Turns providers as profiles name them into something to route to. Processes resolve from their
 * environment; whoever re-lives decisions resolves to the instances that were recorded.
 */
@FunctionalInterface
public interface ProviderResolver {
  /** The resolver of a process: from the variables of its environment. */
  static ProviderResolver of(Environment environment) {
    return (provider, chain, profile) -> provider.resolve(chain, profile, environment);
  }

  /**
   * Resolves a provider. Never throws.
   *
   * @param chain the chain that lists it
   * @param profile the profile that lists it
   */
  Resolution resolve(Provider provider, ChainId chain, ProfileSlug profile);
}
