package dev.lasso.engine.pipeline;

import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.routing.select.ChannelRow;
import org.jspecify.annotations.Nullable;

/** One attempt under way. Owned by its {@link CallRun}. */
final class Flight {
  final ChannelRow row;
  final long startedNs;
  final boolean hedge;
  final boolean trial;
  @Nullable UpstreamCall call;

  Flight(ChannelRow row, long startedNs, boolean hedge, boolean trial) {
    this.row = row;
    this.startedNs = startedNs;
    this.hedge = hedge;
    this.trial = trial;
  }
}
