package dev.lasso.launcher.admin;

import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Profile;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.UnreadableRecord;
import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.schemas.admin.TopicAdminException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The profiles that a cluster has in force. Every method asks Kafka and blocks for some seconds.
 */
final class ProfileTopic {
  /** Longer than a process waits: a command has nothing better to do on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long WRITTEN_WITHIN_S = 30;

  private final KafkaConnection kafka;
  private final TopicCatalogue topics;
  private final Topic<ProfileSlug, Profile> topic;

  ProfileTopic(Cluster cluster) {
    kafka = cluster.kafka();
    topics = cluster.topics();
    topic = topics.profiles();
  }

  /**
   * What the topic holds.
   *
   * @param profiles by slug
   * @param unreadable one sentence for each record that can't be read
   */
  record Contents(SortedMap<ProfileSlug, Profile> profiles, List<String> unreadable) {
    Contents {
      profiles = Collections.unmodifiableSortedMap(new TreeMap<>(profiles));
      unreadable = List.copyOf(unreadable);
    }
  }

  /** Why the topic can't be worked with, in sentences for a person; empty when it can. */
  List<String> problems() {
    try (Admin admin = kafka.commandAdmin("profiles-command")) {
      return new TopicAdmin(admin, topics, PATIENCE)
          .problems(List.of(topic.spec())).stream()
              .map(problem -> problem + "; run `lasso topics apply`")
              .toList();
    } catch (TopicAdminException e) {
      return List.of("Kafka at " + kafka.bootstrap() + " does not answer: " + e.getMessage());
    }
  }

  /**
   * Reads the whole topic.
   *
   * @throws TimeoutException when it could not be read in time
   */
  Contents read() throws TimeoutException {
    SortedMap<ProfileSlug, Profile> profiles = new TreeMap<>();
    List<String> unreadable = new ArrayList<>();
    WholeTopic.read(
        kafka, "profiles-command", topic.name(), record -> take(record, profiles, unreadable));
    return new Contents(profiles, unreadable);
  }

  private void take(
      ConsumerRecord<byte[], byte[]> record,
      SortedMap<ProfileSlug, Profile> profiles,
      List<String> unreadable) {
    try {
      Topic.Entry<ProfileSlug, Profile> entry = topic.read(record);
      Profile profile = entry.value();
      if (profile == null) {
        profiles.remove(entry.key());
      } else {
        profiles.put(entry.key(), profile);
      }
    } catch (UnreadableRecord e) {
      unreadable.add(
          "record %s-%d@%d can't be read: %s"
              .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()));
    }
  }

  /**
   * Puts profiles in force and takes others out; returns when Kafka has it all.
   *
   * @throws ExecutionException when Kafka refuses
   * @throws TimeoutException when Kafka does not confirm in time; some may be in force then
   */
  void write(Collection<Profile> changed, Collection<ProfileSlug> removed)
      throws ExecutionException, TimeoutException, InterruptedException {
    long now = InstantSource.system().millis();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (Producer<byte[], byte[]> producer =
        kafka.producer(
            "profiles-command",
            ProducerLimits.acknowledged(),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      changed.forEach(profile -> sent.add(producer.send(topic.encoded(profile))));
      removed.forEach(slug -> sent.add(producer.send(topic.encodedTombstone(slug, now))));
      for (Future<RecordMetadata> one : sent) {
        one.get(WRITTEN_WITHIN_S, TimeUnit.SECONDS);
      }
    }
  }
}
