package dev.lasso.engine.pipeline;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.routing.select.ChannelRow;
import org.jspecify.annotations.Nullable;

/** One attempt under way. Owned by its {@link CallRun}. */
final class Flight {
  final ChannelRow row;
  final LocalEndpoints.Admitted admitted;
  final boolean hedge;
  final long startedNs = System.nanoTime();
  @Nullable UpstreamCall call;

  Flight(ChannelRow row, LocalEndpoints.Admitted admitted, boolean hedge) {
    this.row = row;
    this.admitted = admitted;
    this.hedge = hedge;
  }

  /** Gives the attempt up: its provider's answer reaches nobody. */
  void giveUp() {
    if (call != null) {
      call.cancel();
    }
  }
}
