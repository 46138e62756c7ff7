package dev.lasso.routing.snapshot;

import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.errors.ErrorClassifier;
import dev.lasso.routing.errors.ErrorRule;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.facts.MethodPolicy;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.ErrorRuleSpec;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.ProviderResolver;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.select.ChainRoutes;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Evidence;
import dev.lasso.routing.select.FleetState;
import dev.lasso.routing.select.Height;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * One chain of one profile while it is folded: its channels stay, what is known of them changes.
 * Owned by the {@link SnapshotFold}.
 */
final class ChainFold {
  private final ProfileSlug profile;
  private final ChainProfile settings;
  private final List<ChannelRow> rows;
  private final List<Channel> channels;
  private final SequencedMap<ProviderId, ProviderEndpoint> endpoints;
  private final List<Resolution.Unusable> unusable;
  private final MethodPolicy methods;
  private final Map<ProviderId, ErrorClassifier> classifiers;
  private @Nullable ActiveChain built;

  private ChainFold(
      ProfileSlug profile,
      ChainProfile settings,
      List<ChannelRow> rows,
      SequencedMap<ProviderId, ProviderEndpoint> endpoints,
      List<Resolution.Unusable> unusable) {
    this.profile = profile;
    this.settings = settings;
    this.rows = rows;
    this.channels = rows.stream().map(ChannelRow::channel).toList();
    this.endpoints = endpoints;
    this.unusable = unusable;
    this.methods = MethodPolicy.of(settings.methods());
    this.classifiers = classifiers(settings);
  }

  private static Map<ProviderId, ErrorClassifier> classifiers(ChainProfile settings) {
    Map<ProviderId, ErrorClassifier> classifiers = new HashMap<>();
    for (Provider provider : settings.providers()) {
      List<ErrorRuleSpec> specs = provider.capabilities().errorRules();
      if (!specs.isEmpty()) {
        List<ErrorRule> rules = new ArrayList<>();
        for (ErrorRuleSpec spec : specs) {
          rules.add(spec.toRule(provider.id() + "-" + (rules.size() + 1)));
        }
        classifiers.put(provider.id(), ErrorClassifier.withRules(rules));
      }
    }
    return classifiers;
  }

  static ChainFold of(ProfileSlug profile, ChainProfile settings, ProviderResolver resolver) {
    List<ChannelRow> rows = new ArrayList<>();
    SequencedMap<ProviderId, ProviderEndpoint> endpoints = new LinkedHashMap<>();
    List<Resolution.Unusable> unusable = new ArrayList<>();
    for (Provider provider : settings.providers()) {
      switch (resolver.resolve(provider, settings.chainId(), profile)) {
        case Resolution.Usable(ProviderEndpoint endpoint) -> {
          endpoints.put(provider.id(), endpoint);
          endpoint.channels().forEach(channel -> rows.add(row(provider, channel)));
        }
        case Resolution.Unusable reason -> unusable.add(reason);
      }
    }
    return new ChainFold(profile, settings, List.copyOf(rows), endpoints, unusable);
  }

  private static ChannelRow row(Provider provider, Channel channel) {
    return new ChannelRow(
        channel,
        channel.endpoint(),
        provider.priority(),
        provider.archival(),
        provider.capabilities(),
        FleetState.UNKNOWN,
        null);
  }

  /** Something that the chain's routes are built from changed. */
  void touch() {
    built = null;
  }

  ActiveChain build(
      Map<Endpoint, FleetState> fleet,
      Map<InstanceId, Height> heights,
      @Nullable ChainState state,
      @Nullable EvidenceTable evidence) {
    ActiveChain current = built;
    if (current == null) {
      List<ChannelRow> known = new ArrayList<>(rows.size());
      for (ChannelRow row : rows) {
        known.add(
            row.with(
                fleet.getOrDefault(row.endpoint(), FleetState.UNKNOWN),
                heights.get(row.channel().instance())));
      }
      Map<String, @Nullable Evidence[]> laidOut =
          evidence == null ? Map.of() : evidence.layout(channels);
      Double measured = state == null ? null : state.blockTimeMs();
      ChainRoutes routes =
          new ChainRoutes(
              profile,
              settings.chainId(),
              known,
              laidOut,
              state == null ? null : state.consensusHeight(),
              measured == null ? settings.blockTimeMs() : measured,
              settings.selection().maxLagBlocks(),
              settings.selection().onAllLagging() == Selection.OnAllLagging.SERVE_LEAST_LAGGING);
      current = new ActiveChain(settings, routes, endpoints, unusable, methods, classifiers, state);
      built = current;
    }
    return current;
  }
}
