package dev.lasso.schemas.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** What a broker answers only at moments that nobody can choose. */
class TopicAdminTest {
  private static final String FENCED =
      "Unable to replicate the partition 1 time(s): All brokers are currently fenced, or have all"
          + " their log directories cordoned.";

  private final TopicCatalogue catalogue = new TopicCatalogue(TopicSettings.defaults());
  private final Deque<String> refusals = new ArrayDeque<>();
  private final Set<String> created = new TreeSet<>();

  @Test
  void waitsForABrokerThatIsFencedForAMoment() {
    refusals.addAll(List.of(FENCED, FENCED));

    List<TopicChange> changes = new TopicAdmin(kafka(), catalogue, Duration.ofSeconds(30)).apply();

    assertThat(changes).hasSameSizeAs(catalogue.specs());
    assertThat(refusals).isEmpty();
  }

  @Test
  void doesNotWaitForBrokersThatThereAreNot() {
    String tooFew = "The target replication factor of 3 cannot be reached: 1 broker is registered.";
    refusals.addAll(List.of(tooFew, tooFew));

    assertThatThrownBy(() -> new TopicAdmin(kafka(), catalogue, Duration.ofSeconds(30)).apply())
        .isInstanceOf(TopicAdminException.class)
        .hasMessage("cannot create topic " + catalogue.specs().getFirst().name() + ": " + tooFew);
    assertThat(refusals).hasSize(1);
  }

  @Test
  void givesUpWhenItStaysFenced() {
    for (int i = 0; i < 1_000; i++) {
      refusals.add(FENCED);
    }
    assertThatThrownBy(() -> new TopicAdmin(kafka(), catalogue, Duration.ofMillis(300)).apply())
        .isInstanceOf(TopicAdminException.class)
        .hasMessageEndingWith(FENCED);
  }

  private Admin kafka() {
    return (Admin)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Admin.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "createTopics" -> create((Collection<?>) arguments[0]);
                  case "describeTopics" -> describe((Collection<?>) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private CreateTopicsResult create(Collection<?> topics) {
    Map<String, KafkaFuture<CreateTopicsResult.TopicMetadataAndConfig>> answers = new HashMap<>();
    for (Object topic : topics) {
      String name = ((NewTopic) topic).name();
      KafkaFutureImpl<CreateTopicsResult.TopicMetadataAndConfig> answer = new KafkaFutureImpl<>();
      String refusal = refusals.poll();
      if (refusal == null) {
        created.add(name);
        answer.complete(null);
      } else {
        answer.completeExceptionally(new InvalidReplicationFactorException(refusal));
      }
      answers.put(name, answer);
    }
    return new CreateTopicsResult(answers) {};
  }

  private DescribeTopicsResult describe(Collection<?> names) {
    Map<String, KafkaFuture<TopicDescription>> answers = new HashMap<>();
    for (Object name : names) {
      KafkaFutureImpl<TopicDescription> answer = new KafkaFutureImpl<>();
      if (created.contains((String) name)) {
        Node node = new Node(1, "localhost", 1);
        answer.complete(
            new TopicDescription(
                (String) name,
                false,
                List.of(new TopicPartitionInfo(0, node, List.of(node), List.of(node)))));
      } else {
        answer.completeExceptionally(new UnknownTopicOrPartitionException());
      }
      answers.put((String) name, answer);
    }
    return new DescribeTopicsResult(null, answers) {};
  }
}
