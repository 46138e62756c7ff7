/** The load harness: the gateway beside plain proxies, in one run on one machine. */
@NullMarked
package dev.lasso.benchmarks.load;

import org.jspecify.annotations.NullMarked;
