/** What hedging does to the latency of reads when a provider hangs now and then. */
@NullMarked
package dev.lasso.benchmarks.hedge;

import org.jspecify.annotations.NullMarked;
