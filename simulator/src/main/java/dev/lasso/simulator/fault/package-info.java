/**
 * The fault words a simulated provider understands, their text form, and the board they are pinned
 * to.
 */
@NullMarked
package dev.lasso.simulator.fault;

import org.jspecify.annotations.NullMarked;
