package dev.lasso.engine.pipeline;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Height;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionRequest;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The order in which one call tries the channels of its plan: the plan's own, but that channels
 * known to have the block asked for go before those that may not have it yet, and that the channel
 * pinned by a batch comes first of all. So a caller who was told of a block is not sent to a
 * provider that has yet to see it. Immutable.
 */
final class ChannelOrder {
  private static final int TIERS = 4;
  private static final boolean[] NO_DIFFERENCE = {};

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
   * @param large whether the answer may be many megabytes: then HTTP, which streams, is tried
   *     before WebSockets, which carry no message that long and everybody else's calls
   * @param pinned the channel that the batch began on, to be set where there is none yet; null for
   *     a call that stands alone
   */
  static ChannelOrder of(
      Plan plan, boolean large, @Nullable PinnedChannel pinned, LocalEndpoints local) {
    return of(plan, large, pinned, position -> hasTheBlock(plan, position, local));
  }

  /**
   * As {@link #of(Plan, boolean, PinnedChannel, LocalEndpoints)}.
   *
   * @param hasTheBlock asked once for each position: other event loops may learn of a height
   *     meanwhile
   */
  static ChannelOrder of(
      Plan plan, boolean large, @Nullable PinnedChannel pinned, IntPredicate hasTheBlock) {
    boolean[] has = whichHaveTheBlock(plan, hasTheBlock);
    int having = count(has);
    boolean split = having > 0 && having < has.length;
    int[] positions = split ? thoseFirst(has, having) : null;
    if (large && plan.size() > 1) {
      positions = httpFirst(plan, positions, split ? having : plan.size());
    }
    if (pinned != null && !plan.isEmpty()) {
      positions = pinnedFirst(plan, positions, pinned, split ? has : NO_DIFFERENCE);
    }
    return new ChannelOrder(plan, positions, split ? having : plan.size());
  }

  /** None, where all are equally good or there is no choice. */
  private static boolean[] whichHaveTheBlock(Plan plan, IntPredicate hasTheBlock) {
    if (plan.request().toBlock() == SelectionRequest.UNBOUND || plan.size() < 2) {
      return NO_DIFFERENCE;
    }
    boolean[] has = new boolean[plan.size()];
    for (int i = 0; i < has.length; i++) {
      has[i] = hasTheBlock.test(i);
    }
    return has;
  }

  private static int count(boolean[] has) {
    int count = 0;
    for (boolean one : has) {
      count += one ? 1 : 0;
    }
    return count;
  }

  private static int[] thoseFirst(boolean[] has, int having) {
    int[] positions = new int[has.length];
    int front = 0;
    int rest = having;
    for (int i = 0; i < has.length; i++) {
      positions[has[i] ? front++ : rest++] = i;
    }
    return positions;
  }

  /** HTTP before WebSockets among those that are equally good; a leading trial stays first. */
  private static int[] httpFirst(Plan plan, int @Nullable [] positions, int having) {
    int[] ordered = new int[plan.size()];
    int next = 0;
    boolean trialLeads = plan.trial() && (positions == null || positions[0] == 0);
    if (trialLeads) {
      ordered[next++] = 0;
    }
    for (int rank = 0; rank < 2 * TIERS; rank++) {
      for (Transport transport : Transport.values()) {
        for (int n = trialLeads ? 1 : 0; n < ordered.length; n++) {
          int position = positions == null ? n : positions[n];
          int itsRank = (n < having ? 0 : TIERS) + plan.tier(position);
          if (itsRank == rank && plan.channel(position).channel().transport() == transport) {
            ordered[next++] = position;
          }
        }
      }
    }
    return ordered;
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
      Plan plan, int @Nullable [] positions, PinnedChannel pinned, boolean[] has) {
    int first = positions == null ? 0 : positions[0];
    if (first == 0 && plan.trial() && plan.size() > 1) {
      // a recovering channel gets one trial at a time: a batch can't stay on it
      first = positions == null ? 1 : positions[1];
    }
    Channel channel = pinned.pin(plan.channel(first).channel());
    int found = -1;
    for (int i = 0; i < plan.size() && found < 0; i++) {
      if (plan.channel(i).channel().equals(channel)) {
        found = i;
      }
    }
    if (found < 0 || (has.length > 0 && !has[found])) {
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
