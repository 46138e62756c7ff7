/** Incident analysis: topics or an exported trace to timeline, state at T, why, what-if. */
@NullMarked
package dev.lasso.replay;

import org.jspecify.annotations.NullMarked;
