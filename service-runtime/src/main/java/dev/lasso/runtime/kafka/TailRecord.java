package dev.lasso.runtime.kafka;

/**
 * A decoded record and where it was found.
 *
 * @param timestampMs of the record, Unix epoch milliseconds
 */
public record TailRecord<E>(String topic, int partition, long offset, long timestampMs, E event) {}
