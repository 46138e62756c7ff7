package dev.lasso.schemas.admin;

/** One thing that applying the catalogue did, or could not do, to a topic. */
public sealed interface TopicChange {
  /** The topic's name in Kafka. */
  String topic();

  /** The change in one line, with the topic's name. */
  String describe();

  /** The topic was made. */
  record Created(String topic, int partitions, int replicationFactor) implements TopicChange {
    @Override
    public String describe() {
      return "topic "
          + topic
          + ": created with "
          + partitions
          + (partitions == 1 ? " partition" : " partitions")
          + ", replication factor "
          + replicationFactor;
    }
  }

  /** It got more partitions. */
  record PartitionsAdded(String topic, int from, int to) implements TopicChange {
    @Override
    public String describe() {
      return "topic " + topic + ": partitions changed from " + from + " to " + to;
    }
  }

  /** A setting got another value. */
  record ConfigChanged(String topic, String key, String from, String to) implements TopicChange {
    @Override
    public String describe() {
      return "topic " + topic + ": " + key + " changed from " + from + " to " + to;
    }
  }

  /**
   * A difference that can't be removed.
   *
   * @param drift what differs
   * @param reason why it stays, and what to do
   */
  record Refused(TopicDrift drift, String reason) implements TopicChange {
    @Override
    public String topic() {
      return drift.topic();
    }

    @Override
    public String describe() {
      return drift.describe() + " (not changed: " + reason + ")";
    }
  }
}
