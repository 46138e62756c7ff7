/** HTTP edge: routes, batches, limits, metadata, CORS; passes WebSocket upgrades on. */
@NullMarked
package dev.lasso.gateway;

import org.jspecify.annotations.NullMarked;
