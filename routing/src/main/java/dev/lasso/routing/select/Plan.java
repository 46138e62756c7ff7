package dev.lasso.routing.select;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.circuit.CircuitStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What selection decided: the channels to try, in order, and why each other one was left out.
 * Immutable. Reasons are kept as words of a closed set; their wording and the numbers behind them
 * are worked out only when somebody asks.
 */
public final class Plan {
  private final ChainRoutes routes;
  private final SelectionRequest request;
  private final long nowMs;
  private final long seed;
  private final int[] order;
  private final @Nullable RejectionReason @Nullable [] rejected;
  private final @Nullable LocalStates local;
  private final boolean degraded;
  private final boolean trial;

  Plan(
      ChainRoutes routes,
      SelectionRequest request,
      long nowMs,
      long seed,
      int[] order,
      @Nullable RejectionReason @Nullable [] rejected,
      @Nullable LocalStates local,
      boolean degraded,
      boolean trial) {
    this.routes = routes;
    this.request = request;
    this.nowMs = nowMs;
    this.seed = seed;
    this.order = order;
    this.rejected = rejected;
    this.local = local;
    this.degraded = degraded;
    this.trial = trial;
  }

  /** How many channels may be tried. */
  public int size() {
    return order.length;
  }

  public boolean isEmpty() {
    return order.length == 0;
  }

  /** The channel to try at a position from 0. */
  public ChannelRow channel(int position) {
    return routes.channel(order[position]);
  }

  /**
   * The tier of the channel at a position from 0, as the decision saw it; the lowest is the best.
   */
  public int tier(int position) {
    Local known = local(order[position]);
    return tier(channel(position), known.circuit(), known.rateLimitedUntilMs(), nowMs);
  }

  /** 0: closed; 1: closed and rate-limited; 2: half-open; 3: half-open and rate-limited. */
  static int tier(
      ChannelRow row, CircuitStatus localCircuit, long localRateLimitedUntilMs, long nowMs) {
    boolean closed =
        row.fleet().circuitAt(nowMs) == CircuitStatus.CLOSED
            && localCircuit == CircuitStatus.CLOSED;
    boolean limited = row.fleet().rateLimitedUntilMs() > nowMs || localRateLimitedUntilMs > nowMs;
    return (closed ? 0 : 2) + (limited ? 1 : 0);
  }

  /** Position of the channel among all channels of the chain, as evidence is indexed. */
  public int channelIndex(int position) {
    return order[position];
  }

  public List<ChannelRow> channels() {
    List<ChannelRow> channels = new ArrayList<>(order.length);
    for (int index : order) {
      channels.add(routes.channel(index));
    }
    return channels;
  }

  /** Whether only lagging providers were left, so that the answer may be old. */
  public boolean degraded() {
    return degraded;
  }

  /**
   * Whether the first channel is half-open and leads as a trial: the next one follows at once if it
   * fails or is slow.
   */
  public boolean trial() {
    return trial;
  }

  public ChainRoutes routes() {
    return routes;
  }

  public SelectionRequest request() {
    return request;
  }

  /** The clock that the decision was taken with, epoch milliseconds. */
  public long decidedAtMs() {
    return nowMs;
  }

  /** The seed that the ranking was drawn with. */
  public long seed() {
    return seed;
  }

  /** A channel left out, why, and the numbers behind it. */
  public record Rejection(ChannelRow channel, RejectionReason reason, String detail) {}

  /** Everything left out, in profile order. */
  public List<Rejection> rejections() {
    if (rejected == null) {
      return List.of();
    }
    List<Rejection> rejections = new ArrayList<>();
    for (int i = 0; i < rejected.length; i++) {
      RejectionReason reason = rejected[i];
      if (reason != null) {
        ChannelRow row = routes.channel(i);
        rejections.add(
            new Rejection(row, reason, RejectionDetail.of(routes, row, request, reason, nowMs)));
      }
    }
    return rejections;
  }

  /**
   * What this process itself knew of a channel when it decided.
   *
   * @param circuit its own circuit
   * @param rateLimitedUntilMs its own rate-limit deadline, epoch milliseconds; 0 when none
   * @param trialsInFlight half-open trials under way
   * @param connected whether a WebSocket connection was open
   * @param inFlight requests under way; recorded for {@code least_loaded} and wherever something
   *     else differs
   * @param latencyEwmaMs moving average of latencies in milliseconds, recorded likewise
   */
  public record Local(
      CircuitStatus circuit,
      long rateLimitedUntilMs,
      int trialsInFlight,
      boolean connected,
      int inFlight,
      double latencyEwmaMs) {
    static final Local IDLE = new Local(CircuitStatus.CLOSED, 0, 0, true, 0, 0);
  }

  /**
   * The local state of a channel by its index in {@link ChainRoutes#channels()}, as the decision
   * read it.
   */
  public Local local(int channelIndex) {
    return local == null
        ? Local.IDLE
        : new Local(
            local.circuit(channelIndex),
            local.rateLimitedUntilMs(channelIndex),
            local.trialsInFlight(channelIndex),
            local.connected(channelIndex),
            local.inFlight(channelIndex),
            local.latencyEwmaMs(channelIndex));
  }
}
