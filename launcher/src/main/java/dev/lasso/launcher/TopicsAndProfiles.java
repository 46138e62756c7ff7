package dev.lasso.launcher;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.profile.Profile;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.admin.TopicAdmin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Puts topics and profiles in place for a process that brings its own broker. */
final class TopicsAndProfiles {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private TopicsAndProfiles() {}

  /** Makes the topics and writes the profiles; returns when Kafka has them. */
  static void apply(ProcessContext context, List<Profile> profiles) throws Exception {
    try (Admin admin = context.kafka().admin("topics")) {
      new TopicAdmin(admin, context.topics(), TIMEOUT).apply();
    }
    try (Producer<byte[], byte[]> producer =
        context
            .kafka()
            .producer(
                "profiles",
                ProducerLimits.acknowledged(),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      profiles.forEach(
          profile -> sent.add(producer.send(context.topics().profiles().encoded(profile))));
      for (Future<RecordMetadata> one : sent) {
        one.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }
}
