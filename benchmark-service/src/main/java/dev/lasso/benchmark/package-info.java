/** The Streams topology that folds latency digests into provider-metrics. */
@NullMarked
package dev.lasso.benchmark;

import org.jspecify.annotations.NullMarked;
