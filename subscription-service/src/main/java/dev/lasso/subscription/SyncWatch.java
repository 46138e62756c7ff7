package dev.lasso.subscription;

import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import io.vertx.core.Context;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Tells when a chain's providers begin or end to synchronise: a chain synchronises when every
 * provider that is followed says it does. Thread-safe.
 */
final class SyncWatch {
  private final RoutingView view;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  SyncWatch(RoutingView view) {
    this.view = view;
    view.onChange(this::changed);
  }

  /** Knows what it told last; that is guarded by itself. */
  private static final class Listener {
    private final ChainId chain;
    private final Context loop;
    private final Consumer<Bytes> values;
    private boolean syncing;

    Listener(ChainId chain, Context loop, Consumer<Bytes> values, boolean syncing) {
      this.chain = chain;
      this.loop = loop;
      this.values = values;
      this.syncing = syncing;
    }

    synchronized void update(boolean now, long height) {
      if (now != syncing) {
        syncing = now;
        Bytes value =
            Bytes.copyOf(json(now, height).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        loop.runOnContext(_ -> values.accept(value));
      }
    }

    private static String json(boolean syncing, long height) {
      return syncing
          ? new JsonObject()
              .put("syncing", true)
              .put(
                  "status",
                  new JsonObject()
                      .put("startingBlock", "0x0")
                      .put("currentBlock", "0x" + Long.toHexString(height))
                      .put("highestBlock", "0x" + Long.toHexString(height)))
              .encode()
          : "false";
    }
  }

  /** Listens for changes; what is so already is not told. Returns what ends it. */
  Runnable listen(ChainId chain, Context loop, Consumer<Bytes> values) {
    ChainState state = state(view.snapshot(), chain);
    Listener listener = new Listener(chain, loop, values, state != null && syncing(state));
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  private void changed(RoutingSnapshot snapshot) {
    for (Listener listener : listeners) {
      ChainState state = state(snapshot, listener.chain);
      if (state != null) {
        Long height = state.consensusHeight();
        listener.update(syncing(state), height == null ? 0 : height);
      }
    }
  }

  private static boolean syncing(ChainState state) {
    return !state.heights().isEmpty()
        && state.heights().stream().allMatch(ChainState.InstanceHeight::syncing);
  }

  private static @org.jspecify.annotations.Nullable ChainState state(
      RoutingSnapshot snapshot, ChainId chain) {
    return snapshot.profiles().stream()
        .map(profile -> profile.chain(chain.toString()))
        .filter(Objects::nonNull)
        .map(ActiveChain::state)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }
}
