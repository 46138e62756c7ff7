package dev.lasso.schemas;

/**
 * The topics of the platform by their short names, which settings, metrics and documents use. The
 * name in Kafka has the configured prefix in front.
 */
public enum TopicName {
  PROFILES("profiles"),
  PROBES("probes"),
  ATTEMPTS("attempts"),
  LATENCY_DIGESTS("latency-digests"),
  INSTANCE_HEALTH("instance-health"),
  UPSTREAM_HEADS("upstream-heads"),
  CHAIN_STATE("chain-state"),
  PROVIDER_METRICS("provider-metrics"),
  CHAIN_EVENTS("chain-events"),
  ROUTING_DECISIONS("routing-decisions"),
  FILTERS("filters"),
  PRESENCE("presence"),
  DEAD_LETTERS("dead-letters");

  private final String word;

  TopicName(String word) {
    this.word = word;
  }

  /** The short name. */
  public String word() {
    return word;
  }

  @Override
  public String toString() {
    return word;
  }
}
