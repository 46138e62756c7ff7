/**
 * Taking recorded decisions again: the snapshot that a process held is folded anew from the topics,
 * up to the offsets that the decision names, and the production selection runs on it.
 */
@NullMarked
package dev.lasso.replay.decide;

import org.jspecify.annotations.NullMarked;
