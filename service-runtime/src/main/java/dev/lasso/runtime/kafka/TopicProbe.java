package dev.lasso.runtime.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks Kafka what became of some topics. A consumer can't tell a broker that is away from a quiet
 * topic, nor a topic from another one created under its name; this can. Belongs to one thread;
 * answers arrive on the admin client's.
 */
final class TopicProbe implements AutoCloseable {
  /** What was found. */
  sealed interface Answer {
    /** All topics exist. */
    record Present(Map<String, Shape> topics) implements Answer {}

    /** Kafka answered, but does not know these. */
    record Missing(List<String> topics) implements Answer {
      String reason() {
        return topics.size() == 1
            ? "topic " + topics.getFirst() + " is missing"
            : "topics " + String.join(", ", topics) + " are missing";
      }
    }

    /** Kafka did not answer. */
    record Unreachable(String reason) implements Answer {}
  }

  /** Which topic a name stands for at the moment: a deleted and recreated one has another id. */
  record Shape(Uuid id, int partitions) {}

  private final KafkaConnection connection;
  private final String purpose;
  private final Collection<String> topics;
  private @Nullable Admin admin;

  TopicProbe(KafkaConnection connection, String purpose, Collection<String> topics) {
    this.connection = connection;
    this.purpose = purpose;
    this.topics = List.copyOf(topics);
  }

  /** Asks; the answer never fails and comes within a few seconds. */
  CompletableFuture<Answer> ask() {
    Map<String, CompletableFuture<@Nullable TopicDescription>> asked = new TreeMap<>();
    try {
      client()
          .describeTopics(topics)
          .topicNameValues()
          .forEach(
              (topic, described) ->
                  asked.put(
                      topic,
                      described
                          .toCompletionStage()
                          .toCompletableFuture()
                          .exceptionally(TopicProbe::ifUnknown)));
    } catch (KafkaException e) {
      return CompletableFuture.completedFuture(new Answer.Unreachable(connection.unreachable(e)));
    }
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> answer(asked))
        .exceptionally(e -> new Answer.Unreachable(connection.unreachable(cause(e))));
  }

  @Override
  public void close() {
    Admin open = admin;
    if (open != null) {
      admin = null;
      open.close(Duration.ofMillis(200));
    }
  }

  private Admin client() {
    Admin open = admin;
    if (open == null) {
      // made late: a name that can't be resolved yet makes the constructor fail
      open = connection.admin(purpose + "-probe");
      admin = open;
    }
    return open;
  }

  private static Answer answer(Map<String, CompletableFuture<@Nullable TopicDescription>> asked) {
    Map<String, Shape> present = new TreeMap<>();
    List<String> missing = new ArrayList<>();
    asked.forEach(
        (topic, described) -> {
          TopicDescription found = described.join();
          if (found == null) {
            missing.add(topic);
          } else {
            present.put(topic, new Shape(found.topicId(), found.partitions().size()));
          }
        });
    return missing.isEmpty() ? new Answer.Present(present) : new Answer.Missing(missing);
  }

  private static @Nullable TopicDescription ifUnknown(Throwable e) {
    if (cause(e) instanceof UnknownTopicOrPartitionException) {
      return null;
    }
    throw new CompletionException(cause(e));
  }

  private static Throwable cause(Throwable e) {
    Throwable cause = e;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
