/**
 * What happened, told across topics in time order: each detector watches one kind of thing and
 * turns records into a few entries that a person reads.
 */
@NullMarked
package dev.lasso.replay.timeline;

import org.jspecify.annotations.NullMarked;
