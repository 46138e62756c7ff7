/** The state of the platform at a moment of the past, folded as its processes fold it. */
@NullMarked
package dev.lasso.replay.state;

import org.jspecify.annotations.NullMarked;
