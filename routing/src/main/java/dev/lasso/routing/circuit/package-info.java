/**
 * The circuit breaker as a pure state machine: the same code guards a process locally and the fleet
 * through Kafka.
 */
@NullMarked
package dev.lasso.routing.circuit;

import org.jspecify.annotations.NullMarked;
