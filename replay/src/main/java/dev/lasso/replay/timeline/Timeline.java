package dev.lasso.replay.timeline;

import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TopicEvents;
import dev.lasso.replay.state.RecordedInstances;
import dev.lasso.replay.state.RegionFolds;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.Presence;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.schemas.ChainStateKey;
import dev.lasso.schemas.DeadLetterKey;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.PresenceKey;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells what happened in a period: reads all topics once, in time order, and asks each detector.
 * Owned by one thread.
 */
public final class Timeline implements TopicEvents {
  private static final long TICK_MS = 1_000;

  private final Recording recording;
  private final RecordedInstances instances;
  private final RegionFolds folds;
  private final Span period;
  private final Entries entries;
  private final Labels labels = new Labels();
  private final HealthDetector health;
  private final HeightDetector heights;
  private final StreamDetector streams;
  private final FailureDetector failures;
  private final LatencyDetector latencies;
  private final ProfileDetector profiles;
  private final ProcessDetector processes;
  private final Map<DeadLetterReason, Long> deadLetters = new HashMap<>();
  private long nowMs = Long.MIN_VALUE;
  private long tickedMs = Long.MIN_VALUE;

  private record DeadLetterReason(String topic, String why) {}

  /**
   * Nothing read yet.
   *
   * @param period what is asked for
   * @param environment resolves URLs of profiles in live topics
   */
  public Timeline(Recording recording, Span period, Environment environment) {
    this.recording = recording;
    this.period = period;
    this.instances = new RecordedInstances(environment);
    this.folds = new RegionFolds(recording.topics(), instances);
    this.entries = new Entries(period.fromMs(), period.toMs());
    this.health = new HealthDetector(entries);
    this.heights = new HeightDetector(entries);
    this.streams = new StreamDetector(entries);
    this.failures = new FailureDetector(entries);
    this.latencies = new LatencyDetector(entries);
    this.profiles = new ProfileDetector(entries);
    this.processes = new ProcessDetector(entries);
  }

  /** What is read: state from its beginning, everything else of the period. */
  public static Map<TopicName, Span> spans(Span period) {
    Map<TopicName, Span> spans = new EnumMap<>(TopicName.class);
    for (TopicName topic :
        List.of(
            TopicName.PROFILES,
            TopicName.INSTANCE_HEALTH,
            TopicName.CHAIN_STATE,
            TopicName.PRESENCE)) {
      spans.put(topic, Span.until(period.toMs()));
    }
    for (TopicName topic :
        List.of(
            TopicName.ATTEMPTS,
            TopicName.LATENCY_DIGESTS,
            TopicName.CHAIN_EVENTS,
            TopicName.ROUTING_DECISIONS,
            TopicName.PROVIDER_METRICS,
            TopicName.DEAD_LETTERS)) {
      spans.put(topic, period);
    }
    return spans;
  }

  /** Reads the period; returns what happened, in the order in which it began. */
  public List<Entry> read() {
    recording.readRaw(spans(period), this::take);
    return finish();
  }

  /** Takes in the next record. */
  public void take(RawRecord record) {
    nowMs = Math.max(nowMs, Math.min(record.atMs(), period.toMs()));
    if (nowMs >= tickedMs + TICK_MS) {
      tickedMs = nowMs;
      heights.tick(nowMs);
      failures.tick(nowMs);
      processes.tick(nowMs);
    }
    recording.dispatch(record, this);
  }

  /** Nothing follows; returns what happened, in the order in which it began. */
  public List<Entry> finish() {
    health.finish();
    heights.finish(nowMs);
    streams.finish();
    failures.finish(nowMs);
    latencies.finish(nowMs);
    deadLetters.forEach(
        (reason, count) ->
            entries.add(
                Entry.at(
                    period.toMs(),
                    Kind.UNREADABLE,
                    Severity.WARN,
                    Subject.NOBODY,
                    Words.count(count, "record", "records")
                        + " of "
                        + reason.topic()
                        + " skipped by "
                        + reason.why())));
    if (entries.beyond() > 0) {
      recording.notices().add(entries.beyond() + " further entries are left out");
    }
    return new ArrayList<>(entries.inOrder());
  }

  /** What chains and instances are called. */
  public Labels labels() {
    return labels;
  }

  /** Takes a state record into the folds; it is known to be readable. */
  private void fold(RawRecord record) {
    folds.add(record);
  }

  @Override
  public void profile(RawRecord record, ProfileSlug key, @Nullable Profile value) {
    fold(record);
    if (value != null) {
      labels.learn(value);
      for (ChainProfile chain : value.chains()) {
        for (Provider provider : chain.providers()) {
          if (instances.resolve(provider, chain.chainId(), key)
              instanceof Resolution.Usable(ProviderEndpoint endpoint)) {
            endpoint.channels().forEach(labels::learn);
          }
        }
      }
    }
    profiles.take(key, value, record.atMs());
  }

  @Override
  public void health(RawRecord record, EndpointKey key, @Nullable InstanceHealth value) {
    if (value != null) {
      health.take(key, value);
    }
  }

  @Override
  public void chainState(RawRecord record, ChainStateKey key, @Nullable ChainState value) {
    fold(record);
    if (value != null) {
      heights.take(value, folds.snapshot(key.region()));
    }
  }

  @Override
  public void metrics(RawRecord record, MetricsKey key, @Nullable ProviderMetrics value) {
    if (value != null) {
      labels.learn(value.channel());
    }
  }

  @Override
  public void attempt(Attempt attempt) {
    labels.learn(attempt.channel());
    failures.take(attempt);
  }

  @Override
  public void digest(LatencyDigest digest) {
    labels.learn(digest.channel());
    latencies.take(digest);
  }

  @Override
  public void chainEvent(ChainId chain, ChainEvent event) {
    streams.take(event);
  }

  @Override
  public void decision(RawRecord record, RoutingDecision decision) {
    for (RoutingDecision.Candidate candidate : decision.candidates()) {
      labels.learn(candidate.channel());
      instances.saw(decision.profile(), decision.chain(), candidate.channel());
    }
    failures.take(decision);
  }

  @Override
  public void presence(PresenceKey key, @Nullable Presence value, long atMs) {
    processes.take(key, value, atMs);
  }

  @Override
  public void deadLetter(DeadLetterKey place, String why, long atMs) {
    deadLetters.merge(new DeadLetterReason(place.topic(), why), 1L, Long::sum);
  }
}
