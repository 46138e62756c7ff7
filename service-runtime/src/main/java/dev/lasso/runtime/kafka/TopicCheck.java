package dev.lasso.runtime.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Whether topics are as a process needs them. The topic catalogue implements this; {@link #exist}
 * is the least one can ask.
 */
@FunctionalInterface
public interface TopicCheck {
  /**
   * Looks, blocking for the admin client's timeout at most.
   *
   * @return what is wrong, one sentence for each topic, naming it; empty when nothing is
   * @throws ExecutionException when Kafka refuses to answer
   * @throws TimeoutException when Kafka does not answer
   */
  List<String> problems(Admin admin)
      throws ExecutionException, TimeoutException, InterruptedException;

  /** The topics, by full name, must exist. */
  static TopicCheck exist(Collection<String> topics) {
    return admin -> {
      List<String> problems = new ArrayList<>();
      for (var described : admin.describeTopics(topics).topicNameValues().entrySet()) {
        try {
          described.getValue().get(KafkaConnection.ADMIN_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
            throw e;
          }
          problems.add("topic " + described.getKey() + " is missing");
        }
      }
      return problems;
    };
  }
}
