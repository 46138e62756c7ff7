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
  private final short[] order;
  private final long @Nullable [] words;
  private final boolean degraded;
  private final boolean trial;

  Plan(
      ChainRoutes routes,
      SelectionRequest request,
      long nowMs,
      long seed,
      short[] order,
      long @Nullable [] words,
      boolean degraded,
      boolean trial) {
    this.routes = routes;
    this.request = request;
    this.nowMs = nowMs;
    this.seed = seed;
    this.order = order;
    this.words = words;
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
    return tier(channel(position), word(order[position]), nowMs);
  }

  /** 0: closed; 1: closed and rate-limited; 2: half-open; 3: half-open and rate-limited. */
  static int tier(ChannelRow row, long word, long nowMs) {
    boolean closed =
        row.fleet().circuitAt(nowMs) == CircuitStatus.CLOSED
            && ChannelWord.circuit(word) == CircuitStatus.CLOSED;
    boolean limited = row.fleet().rateLimitedUntilMs() > nowMs || ChannelWord.rateLimited(word);
    return (closed ? 0 : 2) + (limited ? 1 : 0);
  }

  private long word(int channelIndex) {
    return words == null ? ChannelWord.IDLE : words[channelIndex];
  }

  /** Position of the channel among all channels of the chain, as evidence is indexed. */
  public int channelIndex(int position) {
    return order[position];
  }

  public List<ChannelRow> channels() {
    List<ChannelRow> channels = new ArrayList<>(order.length);
    for (short index : order) {
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
    if (words == null) {
      return List.of();
    }
    List<Rejection> rejections = new ArrayList<>();
    for (int i = 0; i < routes.size(); i++) {
      RejectionReason reason = ChannelWord.rejection(words[i]);
      if (reason != null) {
        ChannelRow row = routes.channel(i);
        rejections.add(
            new Rejection(row, reason, RejectionDetail.of(routes, row, request, reason, nowMs)));
      }
    }
    return rejections;
  }

  /**
   * What this process itself knew of a channel when it decided, to the precision that the decision
   * was taken with ({@code ChannelWord}).
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
      double latencyEwmaMs) {}

  /**
   * The local state of a channel by its index in {@link ChainRoutes#channels()}, as the decision
   * read it.
   */
  public Local local(int channelIndex) {
    long word = word(channelIndex);
    return new Local(
        ChannelWord.circuit(word),
        ChannelWord.rateLimitedUntilMs(word, nowMs),
        ChannelWord.trialsInFlight(word),
        ChannelWord.connected(word),
        ChannelWord.inFlight(word),
        ChannelWord.latencyEwmaMs(word));
  }
}
