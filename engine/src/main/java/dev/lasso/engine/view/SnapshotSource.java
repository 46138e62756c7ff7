package dev.lasso.engine.view;

import dev.lasso.routing.snapshot.RoutingSnapshot;
import java.util.function.Consumer;

/** Where the current routing snapshot is to be had, and its changes are told. Thread-safe. */
public interface SnapshotSource {
  /** The current snapshot; {@link RoutingSnapshot#EMPTY} before anything was heard. */
  RoutingSnapshot snapshot();

  /** Calls the listener after each swap, on the thread that made it; it must be quick. */
  void onChange(Consumer<RoutingSnapshot> listener);
}
