package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.Presence;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Profile;
import dev.lasso.schemas.avro.AttemptRecord;
import dev.lasso.schemas.avro.ChainEventRecord;
import dev.lasso.schemas.avro.ChainStateRecord;
import dev.lasso.schemas.avro.FilterRecord;
import dev.lasso.schemas.avro.HeadSightingRecord;
import dev.lasso.schemas.avro.InstanceHealthRecord;
import dev.lasso.schemas.avro.LatencyDigestRecord;
import dev.lasso.schemas.avro.PresenceRecord;
import dev.lasso.schemas.avro.ProbeRecord;
import dev.lasso.schemas.avro.ProfileRecord;
import dev.lasso.schemas.avro.ProviderMetricsRecord;
import dev.lasso.schemas.avro.RoutingDecisionRecord;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * Every topic of the platform, and the only place that names them. Made once per process from its
 * settings; immutable, safe on any thread.
 */
public final class TopicCatalogue {
  private final TopicSettings settings;
  private final Topic<ProfileSlug, Profile> profiles;
  private final Topic<EndpointKey, ProbeResult> probes;
  private final Topic<EndpointKey, Attempt> attempts;
  private final Topic<MetricsKey, LatencyDigest> latencyDigests;
  private final Topic<EndpointKey, InstanceHealth> instanceHealth;
  private final Topic<ChainId, HeadSighting> upstreamHeads;
  private final Topic<ChainStateKey, ChainState> chainState;
  private final Topic<MetricsKey, ProviderMetrics> providerMetrics;
  private final Topic<ChainId, ChainEvent> chainEvents;
  private final Topic<DecisionKey, RoutingDecision> routingDecisions;
  private final Topic<String, ClientFilter> filters;
  private final Topic<PresenceKey, Presence> presence;
  private final TopicSpec deadLetters;

  /** The catalogue under the given settings. */
  public TopicCatalogue(TopicSettings settings) {
    this.settings = settings;
    profiles =
        new Topic<>(
            TopicName.PROFILES,
            spec(TopicName.PROFILES, Cleanup.COMPACT_WITH_HISTORY),
            "the whole profile, validated, with references to the environment unresolved",
            "`lasso profiles apply`, gateway admin API",
            TopicKeys.PROFILE,
            Profile::slug,
            value -> null,
            ValueCodec.of(TopicName.PROFILES, ProfileRecord.getClassSchema(), ProfileMapping::new));
    probes =
        new Topic<>(
            TopicName.PROBES,
            spec(TopicName.PROBES, Cleanup.DELETE),
            "one probe result",
            "health-service",
            TopicKeys.ENDPOINT,
            value -> new EndpointKey(value.region(), value.endpoint()),
            ProbeResult::endedAtMs,
            ValueCodec.of(TopicName.PROBES, ProbeRecord.getClassSchema(), ProbeMapping::new));
    attempts =
        new Topic<>(
            TopicName.ATTEMPTS,
            spec(TopicName.ATTEMPTS, Cleanup.DELETE),
            "one upstream attempt: every failure, every slow one, successes up to a budget",
            "gateway, subscription-service",
            TopicKeys.ENDPOINT,
            value -> new EndpointKey(value.region(), value.channel().endpoint()),
            Attempt::endedAtMs,
            ValueCodec.of(TopicName.ATTEMPTS, AttemptRecord.getClassSchema(), AttemptMapping::new));
    latencyDigests =
        new Topic<>(
            TopicName.LATENCY_DIGESTS,
            spec(TopicName.LATENCY_DIGESTS, Cleanup.DELETE),
            "mergeable latency histogram and outcome counts for one interval",
            "gateway, subscription-service",
            TopicKeys.METRICS,
            MetricsKey::of,
            LatencyDigest::toMs,
            ValueCodec.of(
                TopicName.LATENCY_DIGESTS,
                LatencyDigestRecord.getClassSchema(),
                LatencyDigestMapping::new));
    instanceHealth =
        new Topic<>(
            TopicName.INSTANCE_HEALTH,
            spec(TopicName.INSTANCE_HEALTH, Cleanup.COMPACT_WITH_HISTORY),
            "status, circuit, rate-limit deadline, counters, last error",
            "health-service",
            TopicKeys.ENDPOINT,
            value -> new EndpointKey(value.region(), value.endpoint()),
            InstanceHealth::atMs,
            ValueCodec.of(
                TopicName.INSTANCE_HEALTH,
                InstanceHealthRecord.getClassSchema(),
                InstanceHealthMapping::new));
    upstreamHeads =
        new Topic<>(
            TopicName.UPSTREAM_HEADS,
            spec(TopicName.UPSTREAM_HEADS, Cleanup.DELETE),
            "a head seen at an instance: number, hash, parent, header, source, when",
            "blocksync-service",
            TopicKeys.CHAIN,
            HeadSighting::chain,
            HeadSighting::seenAtMs,
            ValueCodec.of(
                TopicName.UPSTREAM_HEADS,
                HeadSightingRecord.getClassSchema(),
                HeadSightingMapping::new));
    chainState =
        new Topic<>(
            TopicName.CHAIN_STATE,
            spec(TopicName.CHAIN_STATE, Cleanup.COMPACT_WITH_HISTORY),
            "heights per instance, consensus, safe and finalized, measured block time",
            "blocksync-service",
            TopicKeys.CHAIN_STATE,
            value -> new ChainStateKey(value.region(), value.chain()),
            ChainState::atMs,
            ValueCodec.of(
                TopicName.CHAIN_STATE, ChainStateRecord.getClassSchema(), ChainStateMapping::new));
    providerMetrics =
        new Topic<>(
            TopicName.PROVIDER_METRICS,
            spec(TopicName.PROVIDER_METRICS, Cleanup.COMPACT_WITH_HISTORY),
            "p50, p90, p99, mean, success rate, calls, confidence",
            "benchmark-service",
            TopicKeys.METRICS,
            MetricsKey::of,
            ProviderMetrics::updatedAtMs,
            ValueCodec.of(
                TopicName.PROVIDER_METRICS,
                ProviderMetricsRecord.getClassSchema(),
                ProviderMetricsMapping::new));
    chainEvents =
        new Topic<>(
            TopicName.CHAIN_EVENTS,
            spec(TopicName.CHAIN_EVENTS, Cleanup.DELETE),
            "block added or removed with header and logs, sequence number",
            "subscription-service",
            TopicKeys.CHAIN,
            ChainEvent::chain,
            ChainEvent::atMs,
            ValueCodec.of(
                TopicName.CHAIN_EVENTS, ChainEventRecord.getClassSchema(), ChainEventMapping::new));
    routingDecisions =
        new Topic<>(
            TopicName.ROUTING_DECISIONS,
            spec(TopicName.ROUTING_DECISIONS, Cleanup.DELETE),
            "request facts, candidates, rejections with reasons, plan, outcome (all failures, a"
                + " budget of the rest)",
            "gateway, subscription-service",
            TopicKeys.DECISION,
            value -> new DecisionKey(value.profile(), value.chain()),
            RoutingDecision::decidedAtMs,
            ValueCodec.of(
                TopicName.ROUTING_DECISIONS,
                RoutingDecisionRecord.getClassSchema(),
                RoutingDecisionMapping::new));
    filters =
        new Topic<>(
            TopicName.FILTERS,
            spec(TopicName.FILTERS, Cleanup.COMPACT),
            "a client's filter and how far the client has been told",
            "subscription-service",
            TopicKeys.FILTER,
            ClientFilter::id,
            ClientFilter::usedAtMs,
            ValueCodec.of(TopicName.FILTERS, FilterRecord.getClassSchema(), FilterMapping::new));
    presence =
        new Topic<>(
            TopicName.PRESENCE,
            spec(TopicName.PRESENCE, Cleanup.COMPACT),
            "heartbeat, version, assignment",
            "every process",
            TopicKeys.PRESENCE,
            value -> new PresenceKey(value.region(), value.role(), value.process()),
            Presence::atMs,
            ValueCodec.of(
                TopicName.PRESENCE, PresenceRecord.getClassSchema(), PresenceMapping::new));
    deadLetters = spec(TopicName.DEAD_LETTERS, Cleanup.DELETE);
  }

  private TopicSpec spec(TopicName topic, Cleanup cleanup) {
    return TopicSpec.of(topic, cleanup, settings);
  }

  public TopicSettings settings() {
    return settings;
  }

  public Topic<ProfileSlug, Profile> profiles() {
    return profiles;
  }

  public Topic<EndpointKey, ProbeResult> probes() {
    return probes;
  }

  public Topic<EndpointKey, Attempt> attempts() {
    return attempts;
  }

  public Topic<MetricsKey, LatencyDigest> latencyDigests() {
    return latencyDigests;
  }

  public Topic<EndpointKey, InstanceHealth> instanceHealth() {
    return instanceHealth;
  }

  public Topic<ChainId, HeadSighting> upstreamHeads() {
    return upstreamHeads;
  }

  public Topic<ChainStateKey, ChainState> chainState() {
    return chainState;
  }

  public Topic<MetricsKey, ProviderMetrics> providerMetrics() {
    return providerMetrics;
  }

  public Topic<ChainId, ChainEvent> chainEvents() {
    return chainEvents;
  }

  public Topic<DecisionKey, RoutingDecision> routingDecisions() {
    return routingDecisions;
  }

  public Topic<String, ClientFilter> filters() {
    return filters;
  }

  public Topic<PresenceKey, Presence> presence() {
    return presence;
  }

  /** Records that could not be read, as {@link DeadLetter} describes them. */
  public TopicSpec deadLetters() {
    return deadLetters;
  }

  /** Every topic with values of the domain, in the order of the architecture page. */
  public List<Topic<?, ?>> all() {
    return List.of(
        profiles,
        probes,
        attempts,
        latencyDigests,
        instanceHealth,
        upstreamHeads,
        chainState,
        providerMetrics,
        chainEvents,
        routingDecisions,
        filters,
        presence);
  }

  /** Every schema that a value may be written with, as JSON by its fingerprint in hex. */
  public SortedMap<String, String> writerSchemas() {
    SortedMap<String, String> schemas = new TreeMap<>();
    for (Topic<?, ?> topic : all()) {
      for (Schema version : topic.values().history().versions()) {
        schemas.put(SchemaHistory.hex(SchemaHistory.fingerprint(version)), version.toString());
      }
    }
    return schemas;
  }

  /** How every topic must be set up in Kafka, the dead letters included. */
  public List<TopicSpec> specs() {
    return Stream.concat(all().stream().map(Topic::spec), Stream.of(deadLetters)).toList();
  }
}
