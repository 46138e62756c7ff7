/** Exporting a recorded period to a trace file, and checking such a file. */
@NullMarked
package dev.lasso.replay.trace;

import org.jspecify.annotations.NullMarked;
