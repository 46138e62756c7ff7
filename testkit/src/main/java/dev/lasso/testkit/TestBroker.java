package dev.lasso.testkit;

import dev.lasso.broker.EmbeddedBroker;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What a test gets of the broker all tests of a JVM share: its address, a topic prefix nobody else
 * uses, and topics made under it. Get one through {@link BrokerExtension}.
 */
public final class TestBroker {
  private static final long DEADLINE_SECONDS = 30;

  private final EmbeddedBroker broker;
  private final String topicPrefix;

  TestBroker(EmbeddedBroker broker, String topicPrefix) {
    this.broker = broker;
    this.topicPrefix = topicPrefix;
  }

  /** {@code host:port} for {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** The prefix of this test class's topics, ending in a dot. */
  public String topicPrefix() {
    return topicPrefix;
  }

  /** The full name of the topic that the class under test knows as {@code name}. */
  public String topic(String name) {
    return topicPrefix + name;
  }

  /** Creates deletable topics of one partition each under the prefix. */
  public void createTopics(String... names) {
    create(Arrays.stream(names).map(name -> new NewTopic(topic(name), 1, (short) 1)).toList());
  }

  /** Creates a compacted topic under the prefix. */
  public void createCompacted(String name, int partitions) {
    create(
        List.of(
            new NewTopic(topic(name), partitions, (short) 1)
                .configs(Map.of("cleanup.policy", "compact"))));
  }

  /** Creates topics with their full names as given, for a topic catalogue. */
  public void create(List<NewTopic> topics) {
    try (Admin admin = admin()) {
      admin.createTopics(topics).all().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("topics not created: " + topics, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while creating topics", e);
    }
  }

  /** An admin client; the caller closes it. */
  public Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  }
}
