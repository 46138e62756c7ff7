/**
 * Profiles: one tenant's chains, providers and routing rules as values. What may be secret stays a
 * template until the process that needs it resolves it.
 */
@NullMarked
package dev.lasso.routing.profile;

import org.jspecify.annotations.NullMarked;
