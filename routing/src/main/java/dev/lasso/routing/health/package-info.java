/**
 * What the fleet knows of one endpoint: the fold of probes, reported attempts and digests into
 * circuit, rate limit, chain check, learned limits and the operator's word.
 */
@NullMarked
package dev.lasso.routing.health;

import org.jspecify.annotations.NullMarked;
