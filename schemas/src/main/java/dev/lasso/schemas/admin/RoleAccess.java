package dev.lasso.schemas.admin;

import static dev.lasso.schemas.TopicName.ATTEMPTS;
import static dev.lasso.schemas.TopicName.CHAIN_EVENTS;
import static dev.lasso.schemas.TopicName.CHAIN_STATE;
import static dev.lasso.schemas.TopicName.DEAD_LETTERS;
import static dev.lasso.schemas.TopicName.FILTERS;
import static dev.lasso.schemas.TopicName.INSTANCE_HEALTH;
import static dev.lasso.schemas.TopicName.LATENCY_DIGESTS;
import static dev.lasso.schemas.TopicName.PRESENCE;
import static dev.lasso.schemas.TopicName.PROBES;
import static dev.lasso.schemas.TopicName.PROFILES;
import static dev.lasso.schemas.TopicName.PROVIDER_METRICS;
import static dev.lasso.schemas.TopicName.ROUTING_DECISIONS;
import static dev.lasso.schemas.TopicName.UPSTREAM_HEADS;

import dev.lasso.schemas.TopicName;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a role does in Kafka: the least that a cluster with access rules must allow it.
 *
 * @param role the role's word, or {@code operator} for whoever runs {@code lasso topics}, {@code
 *     profiles}, {@code status} and {@code replay}
 * @param reads topics it reads
 * @param writes topics it writes
 * @param group its consumer group without the topic prefix, or the beginning of it when {@code
 *     streams}; null when it has none
 * @param streams whether it is a Streams application: its group is named by region too, and topics
 *     of its own begin with the group's name
 * @param transactions beginning of its transactional ids without the topic prefix, or null
 */
public record RoleAccess(
    String role,
    Set<TopicName> reads,
    Set<TopicName> writes,
    @Nullable String group,
    boolean streams,
    @Nullable String transactions) {
  /** Who sets the topics up and looks at them all. */
  public static final String OPERATOR = "operator";

  public RoleAccess {
    reads = Set.copyOf(reads);
    writes = Set.copyOf(writes);
  }

  /** Every role's, in the order of a request's way, the operator's last. */
  public static List<RoleAccess> all() {
    return List.of(
        new RoleAccess(
            "gateway",
            of(PROFILES, INSTANCE_HEALTH, CHAIN_STATE, PROVIDER_METRICS, PRESENCE),
            of(ATTEMPTS, LATENCY_DIGESTS, ROUTING_DECISIONS, PRESENCE, DEAD_LETTERS),
            null,
            false,
            null),
        new RoleAccess(
            "subscription",
            of(
                PROFILES,
                INSTANCE_HEALTH,
                CHAIN_STATE,
                PROVIDER_METRICS,
                FILTERS,
                PRESENCE,
                UPSTREAM_HEADS,
                CHAIN_EVENTS),
            of(
                ATTEMPTS,
                LATENCY_DIGESTS,
                ROUTING_DECISIONS,
                UPSTREAM_HEADS,
                CHAIN_EVENTS,
                FILTERS,
                PRESENCE,
                DEAD_LETTERS),
            "canonical",
            false,
            "canonical-"),
        new RoleAccess(
            "health",
            of(PROFILES, PROBES, ATTEMPTS, LATENCY_DIGESTS, PRESENCE),
            of(PROBES, INSTANCE_HEALTH, PRESENCE, DEAD_LETTERS),
            "health-",
            true,
            null),
        new RoleAccess(
            "blocksync",
            of(PROFILES, INSTANCE_HEALTH, UPSTREAM_HEADS, PRESENCE),
            of(UPSTREAM_HEADS, CHAIN_STATE, PRESENCE, DEAD_LETTERS),
            "blocksync-",
            true,
            null),
        new RoleAccess(
            "benchmark",
            of(LATENCY_DIGESTS, PRESENCE),
            of(PROVIDER_METRICS, PRESENCE, DEAD_LETTERS),
            "benchmark-",
            true,
            null),
        new RoleAccess(OPERATOR, EnumSet.allOf(TopicName.class), of(PROFILES), null, false, null));
  }

  private static Set<TopicName> of(TopicName first, TopicName... more) {
    return EnumSet.of(first, more);
  }
}
