/**
 * Deadlines until which an endpoint asked to be left alone. A rate limit is no failure: it moves an
 * endpoint to a later tier and never opens its circuit.
 */
@NullMarked
package dev.lasso.routing.ratelimit;

import org.jspecify.annotations.NullMarked;
