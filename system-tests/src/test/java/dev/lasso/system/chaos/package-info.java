/**
 * A fleet of processes to which a seeded script of faults happens while callers and subscribers
 * hold every answer and every event against the chain.
 */
@NullMarked
package dev.lasso.system.chaos;

import org.jspecify.annotations.NullMarked;
