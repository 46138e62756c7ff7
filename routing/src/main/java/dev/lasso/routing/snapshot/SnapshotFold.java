package dev.lasso.routing.snapshot;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.ProviderResolver;
import dev.lasso.routing.select.Evidence;
import dev.lasso.routing.select.FleetState;
import dev.lasso.routing.select.Height;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Folds profiles, instance health, chain states and provider metrics of one region into routing
 * snapshots. A new snapshot rebuilds only the chains that something changed for.
 *
 * <p>Mutable, owned by one thread; the snapshots it returns may go anywhere.
 */
public final class SnapshotFold {
  private final Region region;
  private final ProviderResolver resolver;
  private final Map<ProfileSlug, SequencedMap<ChainId, ChainFold>> profiles = new HashMap<>();
  private final Map<ProfileSlug, Profile> sources = new HashMap<>();
  private final Map<Endpoint, FleetState> fleet = new HashMap<>();
  private final Map<ChainId, ChainState> states = new HashMap<>();
  private final Map<ChainId, Map<InstanceId, Height>> heights = new HashMap<>();
  private final Map<ChainKey, EvidenceTable> evidence = new HashMap<>();
  private final Set<ProfileSlug> dirtyProfiles = new HashSet<>();
  private final Map<String, ActiveProfile> active = new HashMap<>();

  private record ChainKey(ProfileSlug profile, ChainId chain) {}

  /**
   * Starts empty.
   *
   * @param region whose view is folded; events of other regions are passed over
   * @param environment resolves the variables in provider URLs, headers and keys
   */
  public SnapshotFold(Region region, Environment environment) {
    this(region, ProviderResolver.of(environment));
  }

  /**
   * Starts empty.
   *
   * @param region whose view is folded; events of other regions are passed over
   * @param resolver says what instance is behind a provider, each time a profile is taken in
   */
  public SnapshotFold(Region region, ProviderResolver resolver) {
    this.region = region;
    this.resolver = resolver;
  }

  /** Takes in a profile, in place of an earlier one with its slug. */
  public void apply(Profile profile) {
    SequencedMap<ChainId, ChainFold> chains = new LinkedHashMap<>();
    for (ChainProfile chain : profile.chains()) {
      chains.put(chain.chainId(), ChainFold.of(profile.slug(), chain, resolver));
    }
    profiles.put(profile.slug(), chains);
    sources.put(profile.slug(), profile);
    dirtyProfiles.add(profile.slug());
  }

  /** Forgets a profile. */
  public void remove(ProfileSlug profile) {
    profiles.remove(profile);
    sources.remove(profile);
    active.remove(profile.value());
    dirtyProfiles.remove(profile);
  }

  /** Takes in what the fleet says of an endpoint. */
  public void apply(InstanceHealth health) {
    if (health.region().equals(region)) {
      fleet.put(health.endpoint(), FleetState.from(health));
      touch(health.chain());
    }
  }

  /** Forgets what the fleet said of an endpoint. */
  public void removeHealth(Region of, Endpoint endpoint) {
    if (of.equals(region) && fleet.remove(endpoint) != null) {
      touchAll();
    }
  }

  /** Takes in the heights of a chain. */
  public void apply(ChainState state) {
    if (!state.region().equals(region)) {
      return;
    }
    states.put(state.chain(), state);
    Map<InstanceId, Height> byInstance = new HashMap<>();
    for (ChainState.InstanceHeight height : state.heights()) {
      byInstance.put(
          height.instance(), new Height(height.height(), height.seenAtMs(), height.syncing()));
    }
    heights.put(state.chain(), byInstance);
    touch(state.chain());
  }

  /** Forgets the heights of a chain. */
  public void removeChainState(Region of, ChainId chain) {
    if (of.equals(region) && states.remove(chain) != null) {
      heights.remove(chain);
      touch(chain);
    }
  }

  /** Takes in the evidence of a channel for a method. */
  public void apply(ProviderMetrics metrics) {
    if (!metrics.region().equals(region)) {
      return;
    }
    ChainKey key = new ChainKey(metrics.profile(), metrics.chain());
    evidence
        .computeIfAbsent(key, _ -> new EvidenceTable())
        .put(
            metrics.method(),
            metrics.channel(),
            new Evidence(
                metrics.p50Ms(),
                p95Ms(metrics),
                metrics.successRate(),
                metrics.calls(),
                metrics.confidence(),
                metrics.updatedAtMs()));
    touch(key);
  }

  /**
   * The 95th percentile between the two that are measured, on a tail that falls as a power: few
   * very late answers, which raise the 99th a thousandfold, hardly raise it.
   */
  private static double p95Ms(ProviderMetrics metrics) {
    double spread = metrics.p90Ms() > 0 ? metrics.p99Ms() / metrics.p90Ms() : 1;
    return metrics.p90Ms() * Math.pow(Math.max(1, spread), Math.log10(2));
  }

  /** Forgets the evidence of a channel for a method. */
  public void removeMetrics(
      Region of,
      ProfileSlug profile,
      ChainId chain,
      InstanceId instance,
      Transport transport,
      String method) {
    ChainKey key = new ChainKey(profile, chain);
    EvidenceTable table = evidence.get(key);
    if (of.equals(region) && table != null) {
      table.remove(method, instance, transport);
      touch(key);
    }
  }

  /** Forgets what the fleet said of every endpoint. */
  public void forgetHealth() {
    fleet.clear();
    touchAll();
  }

  /** Forgets the heights of every chain. */
  public void forgetChainStates() {
    states.clear();
    heights.clear();
    touchAll();
  }

  /** Forgets all evidence. */
  public void forgetMetrics() {
    evidence.clear();
    touchAll();
  }

  /**
   * The snapshot of everything taken in so far.
   *
   * @param position what it was folded from
   */
  public RoutingSnapshot snapshot(SnapshotPosition position) {
    for (ProfileSlug slug : dirtyProfiles) {
      SequencedMap<ChainId, ChainFold> chains = profiles.get(slug);
      Profile source = sources.get(slug);
      if (chains != null && source != null) {
        SequencedMap<Long, ActiveChain> built = new LinkedHashMap<>();
        chains.forEach((id, chain) -> built.put(id.value(), build(slug, id, chain)));
        active.put(slug.value(), new ActiveProfile(source, built));
      }
    }
    dirtyProfiles.clear();
    return new RoutingSnapshot(active, position);
  }

  private ActiveChain build(ProfileSlug slug, ChainId id, ChainFold chain) {
    @Nullable ChainState state = states.get(id);
    return chain.build(
        fleet, heights.getOrDefault(id, Map.of()), state, evidence.get(new ChainKey(slug, id)));
  }

  private void touchAll() {
    profiles.values().forEach(chains -> chains.values().forEach(ChainFold::touch));
    dirtyProfiles.addAll(profiles.keySet());
  }

  private void touch(ChainId chain) {
    profiles.forEach(
        (slug, chains) -> {
          ChainFold fold = chains.get(chain);
          if (fold != null) {
            fold.touch();
            dirtyProfiles.add(slug);
          }
        });
  }

  private void touch(ChainKey key) {
    SequencedMap<ChainId, ChainFold> chains = profiles.get(key.profile());
    ChainFold fold = chains == null ? null : chains.get(key.chain());
    if (fold != null) {
      fold.touch();
      dirtyProfiles.add(key.profile());
    }
  }
}
