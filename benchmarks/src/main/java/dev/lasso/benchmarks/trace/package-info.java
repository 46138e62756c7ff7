/** Traces of any size, for measuring how fast replay reads and folds them. */
@NullMarked
package dev.lasso.benchmarks.trace;

import org.jspecify.annotations.NullMarked;
