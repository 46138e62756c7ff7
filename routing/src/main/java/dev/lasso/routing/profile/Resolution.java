package dev.lasso.routing.profile;

import dev.lasso.routing.ProviderId;

/** What came of resolving a provider's secrets in one process. */
public sealed interface Resolution {
  /**
   * The provider can be used here.
   *
   * @param endpoint how
   */
  record Usable(ProviderEndpoint endpoint) implements Resolution {}

  /**
   * The provider can't be used here; the profile's other providers are not affected.
   *
   * @param provider the provider
   * @param reason what is missing or wrong, without any secret
   */
  record Unusable(ProviderId provider, String reason) implements Resolution {}
}
