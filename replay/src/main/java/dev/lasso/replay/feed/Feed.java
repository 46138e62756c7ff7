package dev.lasso.replay.feed;

import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.state.RecordedInstances;
import dev.lasso.replay.trace.ProfileRedaction;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSpec;
import dev.lasso.schemas.UnreadableRecord;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes a recorded period into other topics: what was known before at once, the rest when the
 * clock shows its time. Keys, values, partitions and timestamps are as recorded, offsets are not.
 * Profiles are written without URLs and keys, so that nobody calls the real providers. Belongs to
 * one thread.
 */
public final class Feed {
  private final Recording recording;
  private final ProfileRedaction redaction;
  private final Map<TopicName, TopicSpec> targets = new EnumMap<>(TopicName.class);
  private final RecordedClock clock;
  private long written;

  /**
   * A feed that has written nothing.
   *
   * @param to the topics to write to
   * @param environment resolves URLs of profiles in live topics
   */
  public Feed(
      Recording recording, TopicCatalogue to, Environment environment, RecordedClock clock) {
    this.recording = recording;
    this.redaction = new ProfileRedaction(new RecordedInstances(environment));
    this.clock = clock;
    to.specs().forEach(spec -> targets.put(spec.id(), spec));
  }

  /** Records written so far. */
  public long written() {
    return written;
  }

  /**
   * Writes the period; returns when it is over.
   *
   * @param kafka the cluster to write to
   */
  public void run(KafkaConnection kafka, Span period) {
    Map<TopicName, Span> spans = Recording.spans(List.of(TopicName.values()), period);
    SnapshotRecords.SOURCES.forEach(topic -> spans.put(topic, Span.until(period.toMs())));
    spans.remove(TopicName.DEAD_LETTERS);
    try (Producer<byte[], byte[]> producer =
        kafka.producer(
            "replay-feed",
            ProducerLimits.acknowledged(),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      recording.readRaw(spans, record -> write(record, producer));
      producer.flush();
    }
  }

  private void write(RawRecord record, Producer<byte[], byte[]> producer) {
    TopicSpec target = targets.get(record.topic());
    if (target == null) {
      return;
    }
    RawRecord shown = record;
    if (record.topic() == TopicName.PROFILES && record.value() != null) {
      Topic<?, Profile> profiles = recording.topics().profiles();
      try {
        Profile profile = profiles.read(record).value();
        if (profile != null) {
          shown = record.withValue(profiles.valueBytes(redaction.redacted(profile)));
        }
      } catch (UnreadableRecord e) {
        recording.notices().unreadable(record, e);
        return;
      }
    }
    for (long waitNs = clock.nanosUntil(record.atMs());
        waitNs > 0 && !Thread.currentThread().isInterrupted();
        waitNs = clock.nanosUntil(record.atMs())) {
      LockSupport.parkNanos(this, waitNs);
    }
    var _ =
        producer.send(
            new ProducerRecord<>(
                target.name(),
                record.partition() % target.partitions(),
                record.atMs(),
                shown.key(),
                shown.value()));
    written++;
  }
}
