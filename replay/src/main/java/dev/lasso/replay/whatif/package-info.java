/**
 * What another strategy, another profile or the lack of a provider would have meant: recorded
 * requests are decided anew, and what their attempts would have met is drawn from what attempts of
 * the same time met.
 */
@NullMarked
package dev.lasso.replay.whatif;

import org.jspecify.annotations.NullMarked;
