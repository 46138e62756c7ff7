/** Heads by polling and newHeads; the Streams topology that folds them into chain-state. */
@NullMarked
package dev.lasso.blocksync;

import org.jspecify.annotations.NullMarked;
