/** What this process itself learns of endpoints: its own circuits, rate limits and load. */
@NullMarked
package dev.lasso.engine.local;

import org.jspecify.annotations.NullMarked;
