package dev.lasso.schemas.admin;

/** One way in which a topic in Kafka differs from the catalogue. */
public sealed interface TopicDrift {
  /** The topic's name in Kafka. */
  String topic();

  /** Whether a process must not work against such a topic. The rest is worth a warning. */
  boolean preventsStart();

  /** The difference in one line, with the topic's name. */
  String describe();

  /** The topic is not there. */
  record Missing(String topic) implements TopicDrift {
    @Override
    public boolean preventsStart() {
      return true;
    }

    @Override
    public String describe() {
      return "topic " + topic + " is missing";
    }
  }

  /** It has another number of partitions: processes would disagree on who owns a key. */
  record Partitions(String topic, int expected, int actual) implements TopicDrift {
    @Override
    public boolean preventsStart() {
      return true;
    }

    @Override
    public String describe() {
      return "topic " + topic + ": partitions expected " + expected + ", actual " + actual;
    }
  }

  /** Its partitions have another number of copies. */
  record Replication(String topic, int expected, int actual) implements TopicDrift {
    @Override
    public boolean preventsStart() {
      return false;
    }

    @Override
    public String describe() {
      return "topic " + topic + ": replication factor expected " + expected + ", actual " + actual;
    }
  }

  /**
   * A setting has another value.
   *
   * @param key the setting as Kafka names it
   * @param actual its value, or an empty text when the broker does not know it
   */
  record Config(String topic, String key, String expected, String actual) implements TopicDrift {
    /** Records would be lost, kept for ever or refused; other settings only cost space or time. */
    @Override
    public boolean preventsStart() {
      return key.equals("cleanup.policy")
          || (key.equals("max.message.bytes") && isLess(actual, expected));
    }

    @Override
    public String describe() {
      return "topic " + topic + ": " + key + " expected " + expected + ", actual " + actual;
    }

    private static boolean isLess(String actual, String expected) {
      try {
        return Long.parseLong(actual) < Long.parseLong(expected);
      } catch (NumberFormatException e) {
        return true;
      }
    }
  }
}
