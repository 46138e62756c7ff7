package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicKeys;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A recorded period to ask questions of. Records that this build cannot read are skipped and told
 * in the {@linkplain #notices() notices}. Belongs to one thread.
 */
public final class Recording {
  private static final int TELL_EVERY = 4_096;

  private final RecordSource source;
  private final TopicCatalogue topics;
  private final Progress progress;
  private final Notices notices = new Notices();
  private long records;

  public Recording(RecordSource source, TopicCatalogue topics, Progress progress) {
    this.source = source;
    this.topics = topics;
    this.progress = progress;
  }

  public RecordSource source() {
    return source;
  }

  public TopicCatalogue topics() {
    return topics;
  }

  /** What could not be read or was not there, so far. */
  public Notices notices() {
    return notices;
  }

  /** Records read so far, all passes together. */
  public long recordsRead() {
    return records;
  }

  /**
   * Reads records as they stand.
   *
   * @param spans what is wanted of each topic
   */
  public void readRaw(Map<TopicName, Span> spans, Consumer<RawRecord> each) {
    progress.begins();
    try (RecordStream stream = source.open(spans, notices)) {
      long lastMs = 0;
      for (RawRecord record = stream.next(); record != null; record = stream.next()) {
        records++;
        lastMs = record.atMs();
        if (records % TELL_EVERY == 0) {
          progress.reached(records, lastMs, stream.share());
        }
        each.accept(record);
      }
      progress.reached(records, lastMs, 1);
      stream.faults().forEach(notices::fault);
    } finally {
      progress.ends();
    }
  }

  /** Reads records as the domain sees them. */
  public void read(Map<TopicName, Span> spans, TopicEvents events) {
    readRaw(spans, record -> dispatch(record, events));
  }

  /** Everything of the given topics in one period. */
  public static Map<TopicName, Span> spans(Iterable<TopicName> topics, Span span) {
    Map<TopicName, Span> spans = new EnumMap<>(TopicName.class);
    topics.forEach(topic -> spans.put(topic, span));
    return spans;
  }

  /** Reads one record and hands it on; tells the notices when it can't be read. */
  public void dispatch(RawRecord record, TopicEvents events) {
    try {
      decode(record, events);
    } catch (UnreadableRecord e) {
      notices.unreadable(record, e);
    }
  }

  private void decode(RawRecord record, TopicEvents to) {
    switch (record.topic()) {
      case PROFILES ->
          keyed(topics.profiles(), record, (key, value) -> to.profile(record, key, value));
      case PROBES -> valued(topics.probes(), record, to::probe);
      case ATTEMPTS -> valued(topics.attempts(), record, to::attempt);
      case LATENCY_DIGESTS -> valued(topics.latencyDigests(), record, to::digest);
      case INSTANCE_HEALTH ->
          keyed(topics.instanceHealth(), record, (key, value) -> to.health(record, key, value));
      case UPSTREAM_HEADS -> valued(topics.upstreamHeads(), record, to::sighting);
      case CHAIN_STATE ->
          keyed(topics.chainState(), record, (key, value) -> to.chainState(record, key, value));
      case PROVIDER_METRICS ->
          keyed(topics.providerMetrics(), record, (key, value) -> to.metrics(record, key, value));
      case CHAIN_EVENTS ->
          valued(topics.chainEvents(), record, event -> to.chainEvent(event.chain(), event));
      case ROUTING_DECISIONS ->
          valued(topics.routingDecisions(), record, value -> to.decision(record, value));
      case FILTERS -> {
        // of one client and one poll: nothing that routing depends on
      }
      case PRESENCE ->
          keyed(topics.presence(), record, (key, value) -> to.presence(key, value, record.atMs()));
      case DEAD_LETTERS -> {
        byte[] why = record.value();
        to.deadLetter(
            TopicKeys.DEAD_LETTER.fromBytes(record.key()),
            why == null ? "" : new String(why, StandardCharsets.UTF_8),
            record.atMs());
      }
    }
  }

  private static <K, V> void keyed(
      Topic<K, V> topic, RawRecord record, BiConsumer<K, @Nullable V> to) {
    Topic.Entry<K, V> entry = topic.read(record);
    to.accept(entry.key(), entry.value());
  }

  private static <K, V> void valued(Topic<K, V> topic, RawRecord record, Consumer<V> to) {
    V value = topic.read(record).value();
    if (value != null) {
      to.accept(value);
    }
  }
}
