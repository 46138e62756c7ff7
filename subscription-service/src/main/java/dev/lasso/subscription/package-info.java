/** WebSocket edge: canonical chain, gap filling, reorgs, filters, fan-out. */
@NullMarked
package dev.lasso.subscription;

import org.jspecify.annotations.NullMarked;
