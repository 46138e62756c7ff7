/** JMH benchmarks of the hot path's parts. */
@NullMarked
package dev.lasso.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
