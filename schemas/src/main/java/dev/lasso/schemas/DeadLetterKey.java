package dev.lasso.schemas;

/**
 * Key {@code topic|partition|offset}: where an unreadable record stands.
 *
 * @param topic the topic's name in Kafka
 * @param partition its partition
 * @param offset its offset there
 */
public record DeadLetterKey(String topic, int partition, long offset) {}
