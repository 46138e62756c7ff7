/** Latencies of a recorded period, merged from digests. */
@NullMarked
package dev.lasso.replay.measure;

import org.jspecify.annotations.NullMarked;
