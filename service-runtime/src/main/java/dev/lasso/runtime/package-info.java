/**
 * Process shell: configuration, ordered start and stop, Kafka client factories, Streams runner,
 * metrics, admin HTTP.
 */
@NullMarked
package dev.lasso.runtime;

import org.jspecify.annotations.NullMarked;
