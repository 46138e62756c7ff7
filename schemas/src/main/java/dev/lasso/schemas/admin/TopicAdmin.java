package dev.lasso.schemas.admin;

import dev.lasso.schemas.Cleanup;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Brings the topics in Kafka in line with the catalogue and says where they differ. Touches no
 * topic outside the catalogue and deletes none.
 *
 * <p>Every method blocks for at most the given time per request to Kafka and throws {@link
 * TopicAdminException} when Kafka does not answer in time or refuses. Safe on any thread that may
 * block; the caller owns and closes the admin client.
 */
public final class TopicAdmin {
  private static final long BETWEEN_LOOKS_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long BETWEEN_TRIES_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Admin admin;
  private final TopicCatalogue catalogue;
  private final Duration timeout;

  public TopicAdmin(Admin admin, TopicCatalogue catalogue, Duration timeout) {
    this.admin = admin;
    this.catalogue = catalogue;
    this.timeout = timeout;
  }

  /** Every topic of the catalogue as it stands in Kafka, in the catalogue's order. */
  public List<TopicState> list() {
    return states(catalogue.specs());
  }

  /** Every difference between Kafka and the catalogue, in the catalogue's order. */
  public List<TopicDrift> check() {
    return list().stream().flatMap(state -> state.drift().stream()).toList();
  }

  /**
   * Creates missing topics and alters those that differ, as far as that is safe: partitions are
   * never taken away, compacted topics get none added, copies are left to the operator.
   *
   * @return what was done and what was refused; empty when all was in line
   */
  public List<TopicChange> apply() {
    List<TopicChange> changes = new ArrayList<>();
    for (TopicState state : list()) {
      for (TopicDrift drift : state.drift()) {
        remove(drift, state.wanted()).ifPresent(changes::add);
      }
    }
    if (changes.stream().anyMatch(TopicChange.Created.class::isInstance)) {
      awaitVisible(catalogue.specs().stream().map(TopicSpec::name).toList());
    }
    return changes;
  }

  private Optional<TopicChange> remove(TopicDrift drift, TopicSpec spec) {
    return switch (drift) {
      case TopicDrift.Missing _ -> create(spec);
      case TopicDrift.Partitions partitions -> Optional.of(repartition(spec, partitions));
      case TopicDrift.Replication replication ->
          Optional.of(
              new TopicChange.Refused(
                  replication,
                  "copies are moved with Kafka's own tool, kafka-reassign-partitions"));
      case TopicDrift.Config config -> Optional.of(configure(config));
    };
  }

  /** The controller knows a new topic at once, the brokers that processes ask a little later. */
  private void awaitVisible(Collection<String> names) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (describe(names).size() < names.size()) {
      if (System.nanoTime() > deadline) {
        throw new TopicAdminException(
            "topics were created, but can't be seen after " + timeout.toMillis() + " ms");
      }
      LockSupport.parkNanos(BETWEEN_LOOKS_NS);
    }
  }

  /**
   * Makes sure that a process may work with the given topics.
   *
   * @return differences that do not prevent it, worth a warning each
   * @throws WrongTopicsException naming every topic that is missing or wrong
   */
  public List<TopicDrift> requireTopics(Collection<TopicSpec> topics) {
    List<TopicDrift> drift = drift(topics);
    List<TopicDrift> fatal = drift.stream().filter(TopicDrift::preventsStart).toList();
    if (!fatal.isEmpty()) {
      throw new WrongTopicsException(fatal);
    }
    return drift;
  }

  /** What prevents a process from working with the given topics, a sentence for each. */
  public List<String> problems(Collection<TopicSpec> topics) {
    return drift(topics).stream()
        .filter(TopicDrift::preventsStart)
        .map(TopicDrift::describe)
        .toList();
  }

  private List<TopicDrift> drift(Collection<TopicSpec> topics) {
    return states(topics).stream().flatMap(state -> state.drift().stream()).toList();
  }

  /** Empty when somebody else made the topic in between. */
  private Optional<TopicChange> create(TopicSpec spec) {
    NewTopic topic =
        new NewTopic(spec.name(), spec.partitions(), spec.replicationFactor())
            .configs(spec.configs());
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        await(
            "create topic " + spec.name(),
            admin
                .createTopics(List.of(topic), new CreateTopicsOptions().timeoutMs(timeoutMs()))
                .all());
        return Optional.of(
            new TopicChange.Created(spec.name(), spec.partitions(), spec.replicationFactor()));
      } catch (TopicExistsException _) {
        return Optional.empty();
      } catch (InvalidReplicationFactorException e) {
        if (!fenced(e) || System.nanoTime() > deadlineNs) {
          throw new TopicAdminException(
              "cannot create topic " + spec.name() + ": " + e.getMessage(), e);
        }
        LockSupport.parkNanos(BETWEEN_TRIES_NS);
      }
    }
  }

  /** A broker that was away from its controller for a moment is fenced until its next heartbeat. */
  private static boolean fenced(InvalidReplicationFactorException e) {
    return e.getMessage() != null && e.getMessage().contains("fenced");
  }

  private TopicChange repartition(TopicSpec spec, TopicDrift.Partitions drift) {
    if (drift.expected() < drift.actual()) {
      return new TopicChange.Refused(
          drift,
          "Kafka can't take partitions away; set the partition count to "
              + drift.actual()
              + " or use another topic prefix");
    }
    if (spec.cleanup() != Cleanup.DELETE) {
      return new TopicChange.Refused(
          drift,
          "in a compacted topic the last value of a key would stay behind in its old partition; set"
              + " the partition count to "
              + drift.actual()
              + " or use another topic prefix");
    }
    await(
        "add partitions to topic " + spec.name(),
        admin
            .createPartitions(Map.of(spec.name(), NewPartitions.increaseTo(drift.expected())))
            .all());
    return new TopicChange.PartitionsAdded(spec.name(), drift.actual(), drift.expected());
  }

  private TopicChange configure(TopicDrift.Config drift) {
    AlterConfigOp set =
        new AlterConfigOp(new ConfigEntry(drift.key(), drift.expected()), AlterConfigOp.OpType.SET);
    await(
        "set " + drift.key() + " of topic " + drift.topic(),
        admin.incrementalAlterConfigs(Map.of(resource(drift.topic()), List.of(set))).all());
    return new TopicChange.ConfigChanged(
        drift.topic(), drift.key(), drift.actual(), drift.expected());
  }

  private List<TopicState> states(Collection<TopicSpec> topics) {
    Map<String, TopicDescription> descriptions =
        describe(topics.stream().map(TopicSpec::name).toList());
    Map<ConfigResource, Config> configs =
        descriptions.isEmpty()
            ? Map.of()
            : await(
                "read topic settings",
                admin
                    .describeConfigs(
                        descriptions.keySet().stream().map(TopicAdmin::resource).toList(),
                        new DescribeConfigsOptions().timeoutMs(timeoutMs()))
                    .all());
    List<TopicState> states = new ArrayList<>();
    for (TopicSpec topic : topics) {
      TopicDescription description = descriptions.get(topic.name());
      Config config = configs.get(resource(topic.name()));
      states.add(
          description == null || config == null
              ? missing(topic)
              : present(topic, description, config));
    }
    return states;
  }

  private Map<String, TopicDescription> describe(Collection<String> names) {
    Map<String, TopicDescription> found = new LinkedHashMap<>();
    admin
        .describeTopics(names, new DescribeTopicsOptions().timeoutMs(timeoutMs()))
        .topicNameValues()
        .forEach(
            (name, future) -> {
              try {
                found.put(name, await("describe topic " + name, future));
              } catch (UnknownTopicOrPartitionException e) {
                // left out: it is missing
              }
            });
    return found;
  }

  private static TopicState missing(TopicSpec topic) {
    return new TopicState(
        topic, false, 0, 0, new TreeMap<>(), List.of(new TopicDrift.Missing(topic.name())));
  }

  private static TopicState present(TopicSpec spec, TopicDescription description, Config config) {
    int partitions = description.partitions().size();
    int replicas = description.partitions().getFirst().replicas().size();
    List<TopicDrift> drift = new ArrayList<>();
    if (partitions != spec.partitions()) {
      drift.add(new TopicDrift.Partitions(spec.name(), spec.partitions(), partitions));
    }
    if (replicas != spec.replicationFactor()) {
      drift.add(new TopicDrift.Replication(spec.name(), spec.replicationFactor(), replicas));
    }
    TreeMap<String, String> actual = new TreeMap<>();
    spec.configs()
        .forEach(
            (key, expected) -> {
              ConfigEntry entry = config.get(key);
              String value = entry == null || entry.value() == null ? "" : entry.value();
              actual.put(key, value);
              if (!value.equals(expected)) {
                drift.add(new TopicDrift.Config(spec.name(), key, expected, value));
              }
            });
    return new TopicState(spec, true, partitions, replicas, actual, drift);
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private int timeoutMs() {
    return Math.toIntExact(timeout.toMillis());
  }

  private <T> T await(String what, KafkaFuture<T> answer) {
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case TopicExistsException exists -> exists;
        case UnknownTopicOrPartitionException unknown -> unknown;
        case InvalidReplicationFactorException tooFew -> tooFew;
        case org.apache.kafka.common.errors.TimeoutException _ -> silent(what, e);
        case null -> new TopicAdminException("cannot " + what, e);
        case Throwable cause ->
            new TopicAdminException("cannot " + what + ": " + cause.getMessage(), cause);
      };
    } catch (TimeoutException e) {
      throw silent(what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicAdminException("cannot " + what + ": interrupted", e);
    }
  }

  private TopicAdminException silent(String what, Exception e) {
    return new TopicAdminException(
        "cannot " + what + ": Kafka did not answer within " + timeout.toMillis() + " ms", e);
  }
}
