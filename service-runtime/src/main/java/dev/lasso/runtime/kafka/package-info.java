/**
 * Kafka as the process shell sees it: one connection with its client factories, tails that keep
 * views of topics, a runner for Streams topologies, dead letters. Knows topics only by the names it
 * is given.
 */
@NullMarked
package dev.lasso.runtime.kafka;

import org.jspecify.annotations.NullMarked;
