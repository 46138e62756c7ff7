package dev.lasso.replay.read;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.Presence;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Profile;
import dev.lasso.schemas.ChainStateKey;
import dev.lasso.schemas.DeadLetterKey;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.PresenceKey;
import dev.lasso.schemas.RawRecord;
import org.jspecify.annotations.Nullable;

/**
 * Gets the records of a period as the domain sees them, in order; each method does nothing unless
 * it is overridden. A null value is a tombstone.
 */
public interface TopicEvents {
  default void profile(RawRecord record, ProfileSlug key, @Nullable Profile value) {}

  default void probe(ProbeResult probe) {}

  default void attempt(Attempt attempt) {}

  default void digest(LatencyDigest digest) {}

  default void health(RawRecord record, EndpointKey key, @Nullable InstanceHealth value) {}

  default void sighting(HeadSighting sighting) {}

  default void chainState(RawRecord record, ChainStateKey key, @Nullable ChainState value) {}

  default void metrics(RawRecord record, MetricsKey key, @Nullable ProviderMetrics value) {}

  default void chainEvent(ChainId chain, ChainEvent event) {}

  default void decision(RawRecord record, RoutingDecision decision) {}

  default void presence(PresenceKey key, @Nullable Presence value, long atMs) {}

  /**
   * A record was skipped.
   *
   * @param place where it stands
   * @param why who could not read it, and the class of the error
   */
  default void deadLetter(DeadLetterKey place, String why, long atMs) {}
}
