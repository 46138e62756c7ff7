package dev.lasso.launcher;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.runtime.Condition;
import dev.lasso.runtime.ReadinessSource;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.schemas.admin.TopicDrift;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether Kafka's topics are as the process needs them. Until Kafka has said so once the process is
 * not ready: a Kafka that is away is waited for, wrong topics end the process. The thread that
 * starts the process looks; any thread may ask for the condition.
 */
final class TopicsAtStart implements ReadinessSource {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final ProcessContext context;
  private volatile Condition condition = Condition.notReady("topics not looked at yet");

  TopicsAtStart(ProcessContext context) {
    this.context = context;
  }

  @Override
  public String name() {
    return "topics";
  }

  @Override
  public Condition condition() {
    return condition;
  }

  /** Whether Kafka has said that all is well. */
  boolean right() {
    return condition instanceof Condition.Ready;
  }

  /**
   * Asks Kafka, for some seconds at most.
   *
   * @param missingIsWrong false for topics that may yet be made while the process waits
   * @throws CommandFailed naming every topic that is wrong
   */
  void look(boolean missingIsWrong) throws InterruptedException {
    KafkaConnection kafka = context.kafka();
    List<TopicDrift> drift = new ArrayList<>();
    List<String> problems =
        kafka.problems(
            admin -> {
              new TopicAdmin(admin, context.topics(), TIMEOUT)
                  .check().stream().filter(TopicDrift::preventsStart).forEach(drift::add);
              return drift.stream().map(TopicDrift::describe).toList();
            });
    if (drift.stream().anyMatch(one -> missingIsWrong || !(one instanceof TopicDrift.Missing))) {
      throw new CommandFailed(
          String.join("; ", problems)
              + " (run: lasso topics apply --kafka "
              + kafka.bootstrap()
              + ")");
    }
    condition =
        problems.isEmpty() ? Condition.ready() : Condition.notReady(String.join("; ", problems));
  }
}
