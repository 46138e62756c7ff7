package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;

/**
 * Key {@code profile|chain}: the decisions for one chain of one profile.
 *
 * @param profile whose requests
 * @param chain the chain asked
 */
public record DecisionKey(ProfileSlug profile, ChainId chain) {}
