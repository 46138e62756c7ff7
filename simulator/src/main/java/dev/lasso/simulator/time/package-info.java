/** The time a simulation runs by. */
@NullMarked
package dev.lasso.simulator.time;

import org.jspecify.annotations.NullMarked;
