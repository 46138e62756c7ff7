package dev.lasso.subscription;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsSubscriber;
import dev.lasso.engine.upstream.WsUpstream;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.snapshot.ActiveChain;
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
 * Nothing is filled in. A chain without WebSocket providers has none to tell. Thread-safe.
 */
final class PendingTransactions {
  private final WsConnections webSockets;
  private final int maxProviders;
  private final int remembered;
  private final Map<Key, Feed> feeds = new HashMap<>();

  /**
   * @param maxProviders listened to at a time for one chain
   * @param remembered transactions remembered so that each is told once
   */
  PendingTransactions(WsConnections webSockets, int maxProviders, int remembered) {
    this.webSockets = webSockets;
    this.maxProviders = maxProviders;
    this.remembered = remembered;
  }

  /** Feeds are shared by profiles that listen to the same providers. */
  private record Key(ChainId chain, boolean full, Set<InstanceId> instances) {}

  private record Listener(Context loop, Consumer<Bytes> values) {}

  /**
   * Listens.
   *
   * @param full whether transactions are wanted instead of their hashes
   * @param loop where values are handed over
   * @return ends it; any thread
   */
  Runnable listen(ActiveChain chain, boolean full, Context loop, Consumer<Bytes> values) {
    List<ProviderEndpoint> endpoints =
        chain.endpoints().values().stream()
            .filter(endpoint -> endpoint.ws() != null)
            .sorted(Comparator.comparing(ProviderEndpoint::instance))
            .limit(maxProviders)
            .toList();
    Key key =
        new Key(
            chain.settings().chainId(),
            full,
            endpoints.stream()
                .map(ProviderEndpoint::instance)
                .collect(Collectors.toUnmodifiableSet()));
    Listener listener = new Listener(loop, values);
    synchronized (feeds) {
      Feed feed = feeds.computeIfAbsent(key, _ -> new Feed(full, endpoints));
      feed.listeners.add(listener);
    }
    return () -> {
      synchronized (feeds) {
        Feed feed = feeds.get(key);
        if (feed != null) {
          feed.listeners.remove(listener);
          if (feed.listeners.isEmpty()) {
            feeds.remove(key);
            feed.close();
          }
        }
      }
    };
  }

  private final class Feed implements WsSubscriber {
    private final boolean full;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<UpstreamCall> upstream = new ArrayList<>();
    private final Set<String> told =
        Collections.newSetFromMap(
            new LinkedHashMap<>() {
              @Override
              protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > remembered;
              }
            });

    Feed(boolean full, List<ProviderEndpoint> endpoints) {
      this.full = full;
      JsonSlice params =
          JsonSlice.of(full ? "[\"newPendingTransactions\",true]" : "[\"newPendingTransactions\"]");
      for (ProviderEndpoint endpoint : endpoints) {
        WsUpstream connection = webSockets.connect(endpoint);
        if (connection != null) {
          upstream.add(connection.subscribe(params, this));
        }
      }
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
      for (Listener listener : listeners) {
        listener.loop().runOnContext(_ -> listener.values().accept(value));
      }
    }

    /** The transaction's hash; null for what is none, such as full objects nobody asked for. */
    private @Nullable String hash(JsonSlice event) {
      String text = event.toString().strip();
      if (text.startsWith("\"")) {
        return full ? null : text;
      }
      try {
        return full && new JsonObject(Buffer.buffer(text)).getValue("hash") instanceof String hash
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
