/** JMH and the load harness. */
@NullMarked
package dev.lasso.benchmarks;

import org.jspecify.annotations.NullMarked;
