/**
 * Reading a recorded period: from the topics in Kafka or from a trace file, merged in time order,
 * with bounded memory.
 */
@NullMarked
package dev.lasso.replay.read;

import org.jspecify.annotations.NullMarked;
