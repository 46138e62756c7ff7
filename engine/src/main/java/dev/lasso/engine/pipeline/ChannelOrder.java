package dev.lasso.engine.pipeline;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.routing.Channel;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Height;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionRequest;
import org.jspecify.annotations.Nullable;

/**
 * The order in which one call tries the channels of its plan: the plan's own, but that channels
 * known to have the block asked for go before those that may not have it yet, and that the channel
 * pinned by a batch comes first of all. So a caller who was told of a block is not sent to a
 * provider that has yet to see it. Immutable.
 */
final class ChannelOrder {
  private static final int TIERS = 4;

  private final Plan plan;

  /** Positions in the plan, or null for the plan's own order. */
  private final int @Nullable [] positions;

  /** How many at the beginning are known to have the block; all where that makes no difference. */
  private final int having;

  private ChannelOrder(Plan plan, int @Nullable [] positions, int having) {
    this.plan = plan;
    this.positions = positions;
    this.having = having;
  }

  /**
   * Orders a plan.
   *
   * @param pinned the channel that the batch began on, to be set where there is none yet; null for
   *     a call that stands alone
   */
  static ChannelOrder of(Plan plan, @Nullable PinnedChannel pinned, LocalEndpoints local) {
    int[] positions = havingTheBlockFirst(plan, local);
    int having = plan.size();
    if (positions != null) {
      having = 0;
      while (hasTheBlock(plan, positions[having], local)) {
        having++;
      }
    }
    if (pinned != null && !plan.isEmpty()) {
      positions = pinnedFirst(plan, positions, pinned, local);
    }
    return new ChannelOrder(plan, positions, having);
  }

  private static int @Nullable [] havingTheBlockFirst(Plan plan, LocalEndpoints local) {
    if (plan.request().toBlock() == SelectionRequest.UNBOUND || plan.size() < 2) {
      return null;
    }
    int[] positions = new int[plan.size()];
    int having = 0;
    for (int i = 0; i < positions.length; i++) {
      if (hasTheBlock(plan, i, local)) {
        positions[having++] = i;
      }
    }
    if (having == 0 || having == positions.length) {
      return null;
    }
    int rest = having;
    for (int i = 0; i < positions.length; i++) {
      if (!hasTheBlock(plan, i, local)) {
        positions[rest++] = i;
      }
    }
    return positions;
  }

  /** Whether a healthy channel has shown a height that includes the block asked for. */
  private static boolean hasTheBlock(Plan plan, int position, LocalEndpoints local) {
    ChannelRow row = plan.channel(position);
    Height height = row.height();
    long known = Math.max(height == null ? -1 : height.number(), local.heightSeen(row.endpoint()));
    return known >= plan.request().toBlock()
        && row.fleet().circuitAt(plan.decidedAtMs()) == CircuitStatus.CLOSED
        && plan.local(plan.channelIndex(position)).circuit() == CircuitStatus.CLOSED;
  }

  private static int @Nullable [] pinnedFirst(
      Plan plan, int @Nullable [] positions, PinnedChannel pinned, LocalEndpoints local) {
    // a recovering channel gets one trial at a time: a batch can't stay on it
    int first = positions != null ? positions[0] : plan.trial() && plan.size() > 1 ? 1 : 0;
    Channel channel = pinned.pin(plan.channel(first).channel());
    int found = -1;
    for (int i = 0; i < plan.size() && found < 0; i++) {
      if (plan.channel(i).channel().equals(channel)) {
        found = i;
      }
    }
    if (found < 0 || (positions != null && !hasTheBlock(plan, found, local))) {
      return positions;
    }
    if (found == 0 && positions == null) {
      return null;
    }
    int[] moved = new int[plan.size()];
    moved[0] = found;
    int next = 1;
    for (int i = 0; i < moved.length; i++) {
      int position = positions == null ? i : positions[i];
      if (position != found) {
        moved[next++] = position;
      }
    }
    return moved;
  }

  /** The channel to try as the n-th, from 0. */
  ChannelRow channel(int n) {
    return plan.channel(position(n));
  }

  /** Position in the plan of the channel to try as the n-th. */
  int position(int n) {
    return positions == null ? n : positions[n];
  }

  /** How good the n-th channel is for this call; the lowest is the best. */
  int rank(int n) {
    return (n < having ? 0 : TIERS) + plan.tier(position(n));
  }

  /** How many channels there are. */
  int size() {
    return plan.size();
  }

  /** Whether the first channel is a recovering one that leads as a trial. */
  boolean leadsWithTrial() {
    return plan.trial() && !plan.isEmpty() && position(0) == 0;
  }
}
