package dev.lasso.replay.state;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.ProviderResolver;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.routing.profile.UpstreamUrl;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says which instance was behind a provider without its secrets: as a recorded decision names it;
 * else as the trace names it in place of the URL; else from this process's own environment. Owned
 * by one thread.
 */
public final class RecordedInstances implements ProviderResolver {
  /** URLs in traces: this host, which exists nowhere, and the instance as the path. */
  private static final String REDACTED_HOST = "redacted.invalid";

  private static final UpstreamUrl HTTP =
      UpstreamUrl.parse(Transport.HTTP, "http://" + REDACTED_HOST + "/");
  private static final UpstreamUrl WS =
      UpstreamUrl.parse(Transport.WS, "ws://" + REDACTED_HOST + "/");

  private final Environment environment;
  private final Map<Chain, Map<ProviderId, InstanceId>> decided = new HashMap<>();
  private final Map<Chain, Map<ProviderId, InstanceId>> seen = new HashMap<>();

  private record Chain(ProfileSlug profile, ChainId id) {}

  /**
   * Knows nothing recorded yet.
   *
   * @param environment for URLs of live topics
   */
  public RecordedInstances(Environment environment) {
    this.environment = environment;
  }

  /** The URL that stands in a trace for one that leads to the given instance. */
  public static String redactedUrl(Transport transport, @Nullable InstanceId instance) {
    return transport.word()
        + "://"
        + REDACTED_HOST
        + "/"
        + (instance == null ? "" : instance.value());
  }

  /**
   * A process considered exactly these channels. Returns whether that changes what the chain's
   * providers resolve to.
   */
  public boolean decidedOver(ProfileSlug profile, ChainId chain, List<Channel> channels) {
    Map<ProviderId, InstanceId> instances = new LinkedHashMap<>();
    channels.forEach(channel -> instances.put(channel.provider(), channel.instance()));
    return !instances.equals(decided.put(new Chain(profile, chain), instances));
  }

  /** A record names this channel of a chain. */
  public void saw(ProfileSlug profile, ChainId chain, Channel channel) {
    seen.computeIfAbsent(new Chain(profile, chain), _ -> new HashMap<>())
        .put(channel.provider(), channel.instance());
  }

  @Override
  public Resolution resolve(Provider provider, ChainId chain, ProfileSlug profile) {
    Chain key = new Chain(profile, chain);
    Map<ProviderId, InstanceId> exact = decided.get(key);
    if (exact != null) {
      InstanceId instance = exact.get(provider.id());
      return instance == null
          ? new Resolution.Unusable(provider.id(), "the deciding process could not use it")
          : usable(provider, instance);
    }
    InstanceId named = namedInPlaceOfTheUrl(provider);
    if (named != null) {
      return usable(provider, named);
    }
    Resolution own = provider.resolve(chain, profile, environment);
    InstanceId other = seen.getOrDefault(key, Map.of()).get(provider.id());
    return own instanceof Resolution.Unusable && other != null ? usable(provider, other) : own;
  }

  private static @Nullable InstanceId namedInPlaceOfTheUrl(Provider provider) {
    var template = provider.url() == null ? provider.wsUrl() : provider.url();
    if (template == null || !template.isLiteral()) {
      return null;
    }
    String marker = "://" + REDACTED_HOST + "/";
    String url = template.source();
    int at = url.indexOf(marker);
    return at < 0 || at + marker.length() == url.length()
        ? null
        : InstanceId.of(url.substring(at + marker.length()));
  }

  private static Resolution usable(Provider provider, InstanceId instance) {
    return new Resolution.Usable(
        new ProviderEndpoint(
            provider.id(),
            instance,
            provider.url() == null ? null : HTTP,
            provider.wsUrl() == null ? null : WS,
            Map.of()));
  }
}
