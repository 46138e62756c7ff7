package dev.lasso.subscription;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsSubscriber;
import dev.lasso.engine.upstream.WsUpstream;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Transactions waiting to be mined, as the chain's WebSocket providers push them: one upstream
 * subscription at each of a few providers for any number of clients, each transaction told once.
 * When a profile gets other providers or keys, its clients hear of those. Nothing is filled in. A
 * chain without WebSocket providers has none to tell. Thread-safe.
 */
final class PendingTransactions {
  private final WsConnections webSockets;
  private final int maxProviders;
  private final int remembered;
  private final Map<Place, Audience> audiences = new HashMap<>();
  private final Map<Key, Feed> feeds = new HashMap<>();

  /**
   * @param view tells of changed profiles
   * @param maxProviders listened to at a time for one chain
   * @param remembered transactions remembered so that each is told once
   */
  PendingTransactions(
      RoutingView view, WsConnections webSockets, int maxProviders, int remembered) {
    this.webSockets = webSockets;
    this.maxProviders = maxProviders;
    this.remembered = remembered;
    view.onChange(this::changed);
  }

  /** What clients ask for. */
  private record Place(ProfileSlug profile, ChainId chain, boolean full) {}

  /** Feeds are shared by profiles that listen to the same providers. */
  private record Key(ChainId chain, boolean full, Set<InstanceId> instances) {}

  private record Listener(Context loop, Consumer<Bytes> values) {}

  /** Who asked for the same, and the feed they hear now; guarded by {@link #audiences}. */
  private static final class Audience {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private @Nullable Profile profile;
    private @Nullable Feed feed;
  }

  /**
   * Listens.
   *
   * @param full whether transactions are wanted instead of their hashes
   * @param loop where values are handed over
   * @return ends it; any thread
   */
  Runnable listen(
      ProfileSlug profile, ActiveChain chain, boolean full, Context loop, Consumer<Bytes> values) {
    Place place = new Place(profile, chain.settings().chainId(), full);
    Listener listener = new Listener(loop, values);
    synchronized (audiences) {
      Audience audience = audiences.computeIfAbsent(place, _ -> new Audience());
      audience.listeners.add(listener);
      if (audience.feed == null) {
        hear(audience, place, endpoints(chain));
      }
    }
    return () -> {
      synchronized (audiences) {
        Audience audience = audiences.get(place);
        if (audience != null
            && audience.listeners.remove(listener)
            && audience.listeners.isEmpty()) {
          audiences.remove(place);
          leave(audience);
        }
      }
    };
  }

  private void changed(RoutingSnapshot snapshot) {
    synchronized (audiences) {
      audiences.forEach(
          (place, audience) -> {
            ActiveProfile active = snapshot.profile(place.profile());
            Profile profile = active == null ? null : active.profile();
            if (profile != null && profile.equals(audience.profile)) {
              return;
            }
            audience.profile = profile;
            hear(
                audience,
                place,
                active == null
                    ? List.of()
                    : active.chains().stream()
                        .filter(chain -> chain.settings().chainId().equals(place.chain()))
                        .findFirst()
                        .map(this::endpoints)
                        .orElse(List.of()));
          });
    }
  }

  private List<ProviderEndpoint> endpoints(ActiveChain chain) {
    return chain.endpoints().values().stream()
        .filter(endpoint -> endpoint.ws() != null)
        .sorted(Comparator.comparing(ProviderEndpoint::instance))
        .limit(maxProviders)
        .toList();
  }

  /** Lets an audience hear these providers, and no others. */
  private void hear(Audience audience, Place place, List<ProviderEndpoint> endpoints) {
    Key key =
        new Key(
            place.chain(),
            place.full(),
            endpoints.stream()
                .map(ProviderEndpoint::instance)
                .collect(Collectors.toUnmodifiableSet()));
    Feed before = audience.feed;
    if (before != null && before.key.equals(key) && before.isConnected()) {
      return;
    }
    Feed next = feeds.get(key);
    if (next == null || !next.isConnected()) {
      next = new Feed(key, endpoints, before);
      feeds.put(key, next);
    }
    next.audiences.add(audience);
    audience.feed = next;
    if (before != null) {
      leave(audience, before);
    }
  }

  private void leave(Audience audience) {
    Feed feed = audience.feed;
    if (feed != null) {
      leave(audience, feed);
    }
  }

  private void leave(Audience audience, Feed feed) {
    feed.audiences.remove(audience);
    if (feed.audiences.isEmpty()) {
      feeds.remove(feed.key, feed);
      feed.close();
    }
  }

  private final class Feed implements WsSubscriber {
    private final Key key;
    private final List<Audience> audiences = new CopyOnWriteArrayList<>();
    private final Map<InstanceId, WsUpstream> connections = new HashMap<>();
    private final List<UpstreamCall> upstream = new ArrayList<>();
    private final Set<String> told =
        Collections.newSetFromMap(
            new LinkedHashMap<>() {
              @Override
              protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > remembered;
              }
            });

    /**
     * Listens to providers.
     *
     * @param before what its audience heard until now and is not to be told again
     */
    Feed(Key key, List<ProviderEndpoint> endpoints, @Nullable Feed before) {
      this.key = key;
      if (before != null) {
        synchronized (before.told) {
          told.addAll(before.told);
        }
      }
      JsonSlice params =
          JsonSlice.of(
              key.full() ? "[\"newPendingTransactions\",true]" : "[\"newPendingTransactions\"]");
      for (ProviderEndpoint endpoint : endpoints) {
        WsUpstream connection = webSockets.connect(endpoint);
        if (connection != null) {
          connections.put(endpoint.instance(), connection);
          upstream.add(connection.subscribe(params, this));
        }
      }
    }

    /** Whether its connections are still those that the process keeps. */
    boolean isConnected() {
      return connections.entrySet().stream()
          .allMatch(entry -> webSockets.of(entry.getKey()) == entry.getValue());
    }

    void close() {
      upstream.forEach(UpstreamCall::cancel);
    }

    @Override
    public void event(JsonSlice event) {
      String hash = hash(event);
      if (hash == null) {
        return;
      }
      synchronized (told) {
        if (!told.add(hash)) {
          return;
        }
      }
      Bytes value = Bytes.copyOf(event.toArray());
      for (Audience audience : audiences) {
        for (Listener listener : audience.listeners) {
          listener.loop().runOnContext(_ -> listener.values().accept(value));
        }
      }
    }

    /** The transaction's hash; null for what is none, such as full objects nobody asked for. */
    private @Nullable String hash(JsonSlice event) {
      String text = event.toString().strip();
      if (text.startsWith("\"")) {
        return key.full() ? null : text;
      }
      try {
        return key.full()
                && new JsonObject(Buffer.buffer(text)).getValue("hash") instanceof String hash
            ? hash
            : null;
      } catch (DecodeException | ClassCastException _) {
        return null;
      }
    }

    @Override
    public void active() {}

    @Override
    public void lost() {}

    @Override
    public void refused(UpstreamError error) {}
  }
}
