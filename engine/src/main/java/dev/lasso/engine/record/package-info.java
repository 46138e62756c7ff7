/**
 * What a process saw, on its way to Kafka: attempts, latency digests and routing decisions, handed
 * over by event loops without waiting and sent by one agent thread.
 */
@NullMarked
package dev.lasso.engine.record;

import org.jspecify.annotations.NullMarked;
