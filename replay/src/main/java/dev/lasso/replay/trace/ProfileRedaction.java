package dev.lasso.replay.trace;

import dev.lasso.replay.state.RecordedInstances;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.routing.profile.Templated;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a profile whatever may be secret: URLs, header values and keys. In place of a URL
 * stands the instance that it leads to, so that a reader of the trace can still tell which is
 * meant.
 */
public final class ProfileRedaction {
  private static final Templated REDACTED = Templated.literal("redacted");

  private final RecordedInstances instances;

  /**
   * A redaction.
   *
   * @param instances says which instance is behind a provider
   */
  public ProfileRedaction(RecordedInstances instances) {
    this.instances = instances;
  }

  /** The profile without anything that may be secret. */
  public Profile redacted(Profile profile) {
    return new Profile(
        profile.slug(),
        profile.name(),
        profile.rpsLimit(),
        profile.burstLimit(),
        profile.chains().stream().map(chain -> redacted(profile, chain)).toList());
  }

  private ChainProfile redacted(Profile profile, ChainProfile chain) {
    return chain.with(
        chain.providers().stream().map(provider -> redacted(profile, chain, provider)).toList());
  }

  private Provider redacted(Profile profile, ChainProfile chain, Provider provider) {
    InstanceId instance =
        instances.resolve(provider, chain.chainId(), profile.slug())
                instanceof Resolution.Usable(var endpoint)
            ? endpoint.instance()
            : null;
    Map<String, Templated> headers = new TreeMap<>();
    provider.headers().keySet().forEach(name -> headers.put(name, REDACTED));
    return new Provider(
        provider.id(),
        provider.name(),
        redacted(provider.url(), Transport.HTTP, instance),
        redacted(provider.wsUrl(), Transport.WS, instance),
        provider.priority(),
        provider.archival(),
        provider.subscribeNewHeads(),
        headers,
        provider.apiKey() == null ? null : REDACTED,
        provider.sharing(),
        provider.capabilities());
  }

  private static @Nullable Templated redacted(
      @Nullable Templated url, Transport transport, @Nullable InstanceId instance) {
    return url == null
        ? null
        : Templated.literal(RecordedInstances.redactedUrl(transport, instance));
  }
}
