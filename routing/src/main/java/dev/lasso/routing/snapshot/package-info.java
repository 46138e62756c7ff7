/** The routing snapshot and the fold that makes it: live in a gateway, and again in a replay. */
@NullMarked
package dev.lasso.routing.snapshot;

import org.jspecify.annotations.NullMarked;
