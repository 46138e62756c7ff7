/** Simulated chains and providers with scripted faults. */
@NullMarked
package dev.lasso.simulator;

import org.jspecify.annotations.NullMarked;
