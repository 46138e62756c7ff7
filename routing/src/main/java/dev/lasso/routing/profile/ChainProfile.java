package dev.lasso.routing.profile;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProviderId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A chain as one profile serves it.
 *
 * @param chainId what its providers must answer to {@code eth_chainId}
 * @param key the chain's name in URLs
 * @param name shown to people
 * @param blockTimeMs expected time between blocks, until enough of them are measured; 1 ms to 1 h
 * @param aliases further names in URLs
 * @param monitoring how its providers are watched
 * @param selection which providers may serve
 * @param webSocket how upstream WebSockets are used
 * @param subscription how client subscriptions are kept continuous
 * @param routing how requests are routed
 * @param methods which methods clients may call
 * @param providers from 1 to {@link #MAX_PROVIDERS}, with distinct ids
 */
public record ChainProfile(
    ChainId chainId,
    ChainName key,
    String name,
    int blockTimeMs,
    List<ChainName> aliases,
    Monitoring monitoring,
    Selection selection,
    WebSocketSettings webSocket,
    SubscriptionSettings subscription,
    RoutingSettings routing,
    MethodAccess methods,
    List<Provider> providers) {
  public static final int DEFAULT_BLOCK_TIME_MS = 12_000;
  public static final int MAX_PROVIDERS = 10_000;

  public ChainProfile {
    aliases = List.copyOf(aliases);
    providers = List.copyOf(providers);
    Require.notBlank("name", name);
    Require.between("block_time_ms", blockTimeMs, 1, 3_600_000);
    Set<ChainName> words = new HashSet<>(Set.of(key));
    for (ChainName alias : aliases) {
      if (!words.add(alias)) {
        throw new IllegalArgumentException("the alias '" + alias + "' is there twice");
      }
    }
    if (providers.isEmpty()) {
      throw new IllegalArgumentException("providers must have at least one entry");
    }
    if (providers.size() > MAX_PROVIDERS) {
      throw new IllegalArgumentException(
          "providers may have at most " + MAX_PROVIDERS + " entries, has " + providers.size());
    }
    Set<ProviderId> ids = new HashSet<>();
    for (Provider provider : providers) {
      if (!ids.add(provider.id())) {
        throw new IllegalArgumentException("two providers have the id '" + provider.id() + "'");
      }
    }
    for (Map.Entry<String, MethodOverride> override : routing.methodOverrides().entrySet()) {
      for (ProviderId provider : override.getValue().providers()) {
        if (!ids.contains(provider)) {
          throw new IllegalArgumentException(
              "the override of "
                  + override.getKey()
                  + " names the provider '"
                  + provider
                  + "', which the chain does not have");
        }
      }
    }
  }

  /** A chain with every setting at its default. */
  public static ChainProfile of(ChainId chainId, ChainName key, List<Provider> providers) {
    return new ChainProfile(
        chainId,
        key,
        key.value(),
        DEFAULT_BLOCK_TIME_MS,
        List.of(),
        Monitoring.DEFAULT,
        Selection.DEFAULT,
        WebSocketSettings.DEFAULT,
        SubscriptionSettings.DEFAULT,
        RoutingSettings.DEFAULT,
        MethodAccess.DEFAULT,
        providers);
  }

  /** The same chain with other providers. */
  public ChainProfile with(List<Provider> others) {
    return new ChainProfile(
        chainId,
        key,
        name,
        blockTimeMs,
        aliases,
        monitoring,
        selection,
        webSocket,
        subscription,
        routing,
        methods,
        others);
  }

  /** The same chain routed otherwise. */
  public ChainProfile with(RoutingSettings other) {
    return new ChainProfile(
        chainId,
        key,
        name,
        blockTimeMs,
        aliases,
        monitoring,
        selection,
        webSocket,
        subscription,
        other,
        methods,
        providers);
  }

  /** The key and the aliases: every word that URLs may name the chain by, beside its id. */
  public List<ChainName> routeNames() {
    List<ChainName> words = new ArrayList<>(List.of(key));
    words.addAll(aliases);
    return List.copyOf(words);
  }
}
