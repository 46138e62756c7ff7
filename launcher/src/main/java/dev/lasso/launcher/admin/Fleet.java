package dev.lasso.launcher.admin;

import dev.lasso.routing.event.Presence;
import dev.lasso.schemas.PresenceKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.UnreadableRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * What Kafka tells of the fleet at one moment: what each process said last of itself, and how far
 * each consumer group has come.
 *
 * @param processes last heartbeats, of those gone as well, ordered
 * @param groups the groups under the topic prefix, ordered by name
 */
record Fleet(List<Presence> processes, List<Group> groups) {
  private static final long PATIENCE_S = 10;
  private static final Comparator<Presence> ORDER =
      Comparator.comparing((Presence process) -> process.region().value())
          .thenComparing(Presence::role)
          .thenComparing(Presence::process);

  Fleet {
    processes = List.copyOf(processes);
    groups = List.copyOf(groups);
  }

  /**
   * A consumer group.
   *
   * @param name with the topic prefix
   * @param state as Kafka spells it
   * @param members consumers in it
   * @param lag records between what is committed and what is there, by topic
   */
  record Group(String name, String state, int members, Map<String, Long> lag) {
    Group {
      lag = new TreeMap<>(lag);
    }

    long totalLag() {
      return lag.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * Asks Kafka.
   *
   * @throws ExecutionException when Kafka refuses
   * @throws TimeoutException when Kafka does not answer in time
   */
  static Fleet of(Cluster cluster)
      throws ExecutionException, TimeoutException, InterruptedException {
    try (Admin admin = cluster.kafka().commandAdmin("status-command")) {
      List<Group> groups = groups(admin, cluster.topics().settings().prefix());
      return new Fleet(processes(cluster), groups);
    }
  }

  private static List<Presence> processes(Cluster cluster) throws TimeoutException {
    Topic<PresenceKey, Presence> topic = cluster.topics().presence();
    Map<PresenceKey, Presence> known = new HashMap<>();
    WholeTopic.read(
        cluster.kafka(),
        "status-command",
        topic.name(),
        record -> {
          try {
            Topic.Entry<PresenceKey, Presence> entry = topic.read(record);
            Presence presence = entry.value();
            if (presence == null) {
              known.remove(entry.key());
            } else {
              known.put(entry.key(), presence);
            }
          } catch (UnreadableRecord _) {
            // a heartbeat of a version to come; the process shows up as gone
          }
        });
    return known.values().stream().sorted(ORDER).toList();
  }

  private static List<Group> groups(Admin admin, String prefix)
      throws ExecutionException, TimeoutException, InterruptedException {
    Set<String> names = new java.util.TreeSet<>();
    for (GroupListing group : admin.listGroups().all().get(PATIENCE_S, TimeUnit.SECONDS)) {
      if (group.groupId().startsWith(prefix)) {
        names.add(group.groupId());
      }
    }
    Map<String, ConsumerGroupDescription> described =
        admin.describeConsumerGroups(names).all().get(PATIENCE_S, TimeUnit.SECONDS);
    List<Group> groups = new ArrayList<>();
    for (String name : names) {
      ConsumerGroupDescription group = described.get(name);
      if (group != null) {
        groups.add(
            new Group(
                name, group.groupState().toString(), group.members().size(), lag(admin, name)));
      }
    }
    return groups;
  }

  private static Map<String, Long> lag(Admin admin, String group)
      throws ExecutionException, TimeoutException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin
            .listConsumerGroupOffsets(group)
            .partitionsToOffsetAndMetadata()
            .get(PATIENCE_S, TimeUnit.SECONDS);
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    committed.forEach((partition, _) -> asked.put(partition, OffsetSpec.latest()));
    try {
      Map<TopicPartition, ListOffsetsResultInfo> ends =
          admin.listOffsets(asked).all().get(PATIENCE_S, TimeUnit.SECONDS);
      Map<String, Long> lag = new TreeMap<>();
      ends.forEach(
          (partition, end) -> {
            OffsetAndMetadata position = committed.get(partition);
            if (position != null) {
              lag.merge(
                  partition.topic(), Math.max(0, end.offset() - position.offset()), Long::sum);
            }
          });
      return lag;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicAuthorizationException) {
        return Map.of();
      }
      throw e;
    }
  }
}
