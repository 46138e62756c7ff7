/** Writing a recorded period into the topics of a local stack, at a chosen speed. */
@NullMarked
package dev.lasso.replay.feed;

import org.jspecify.annotations.NullMarked;
