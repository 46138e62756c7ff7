package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Region;

/**
 * Key {@code region|chain}: one chain as one region sees it.
 *
 * @param region whose view
 * @param chain the chain
 */
public record ChainStateKey(Region region, ChainId chain) {}
