package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was sent where it was: everything needed to decide it again. Topic {@code
 * routing-decisions}: all failures, a budget of the rest.
 *
 * @param region where it was decided
 * @param process the deciding process
 * @param requestId the client request
 * @param profile whose request
 * @param chain the chain asked
 * @param decidedAtMs the clock that the decision was taken with
 * @param facts what was known of the request
 * @param strategy the strategy that ranked
 * @param seed seed of the random generator that ranked
 * @param policy the numbers of selection that the process is set to, by name; empty when it did not
 *     say, which means the defaults
 * @param snapshot name of the snapshot: the offsets it was folded from
 * @param candidates the local state of every channel considered, in profile order
 * @param rejections channels left out, with the reason
 * @param plan channels in the order to be tried
 * @param degraded whether only lagging providers were left
 * @param attempts what was tried, in order
 * @param outcome how the request ended
 * @param totalMs from admission to the answer
 */
public record RoutingDecision(
    Region region,
    String process,
    RequestId requestId,
    ProfileSlug profile,
    ChainId chain,
    long decidedAtMs,
    Facts facts,
    StrategyName strategy,
    long seed,
    Map<String, Double> policy,
    String snapshot,
    List<Candidate> candidates,
    List<Rejection> rejections,
    List<Channel> plan,
    boolean degraded,
    List<Tried> attempts,
    Outcome outcome,
    double totalMs) {
  public RoutingDecision {
    policy = Map.copyOf(policy);
    candidates = List.copyOf(candidates);
    rejections = List.copyOf(rejections);
    plan = List.copyOf(plan);
    attempts = List.copyOf(attempts);
  }

  /**
   * What selection reads of a request.
   *
   * @param method the JSON-RPC method
   * @param category the method's category
   * @param replaySafe whether it may be sent to several providers
   * @param transport the only transport allowed, or null for any
   * @param fromBlock lowest block the request reads, or null when unbound
   * @param toBlock highest block the request reads, or null when unbound
   * @param minBlock height that a provider must have reached, or null for none
   * @param requiresArchival whether old state is needed
   * @param excludeRateLimited whether rate-limited channels are left out instead of demoted
   * @param onlyProviders the providers allowed, empty for all
   * @param excluded providers left out by the caller
   * @param deadlineMs time the whole request may take
   * @param strategyAsked whether the request itself named the strategy
   * @param providerAsked whether the request itself named the only provider allowed
   */
  public record Facts(
      String method,
      String category,
      boolean replaySafe,
      @Nullable Transport transport,
      @Nullable Long fromBlock,
      @Nullable Long toBlock,
      @Nullable Long minBlock,
      boolean requiresArchival,
      boolean excludeRateLimited,
      List<ProviderId> onlyProviders,
      List<ProviderId> excluded,
      long deadlineMs,
      boolean strategyAsked,
      boolean providerAsked) {
    public Facts {
      onlyProviders = List.copyOf(onlyProviders);
      excluded = List.copyOf(excluded);
    }
  }

  /**
   * What the deciding process itself knew of a channel, beside the snapshot.
   *
   * @param channel the channel
   * @param localCircuit the process's own circuit
   * @param localRateLimitedUntilMs the process's own rate-limit deadline; 0 when none
   * @param trialsInFlight half-open trials under way
   * @param connected whether a WebSocket channel had an open connection
   * @param inFlight requests under way on it
   * @param latencyEwmaMs the process's own moving average of its latencies in milliseconds
   */
  public record Candidate(
      Channel channel,
      CircuitStatus localCircuit,
      long localRateLimitedUntilMs,
      int trialsInFlight,
      boolean connected,
      int inFlight,
      double latencyEwmaMs) {}

  /**
   * A channel left out.
   *
   * @param channel the channel
   * @param reason why
   * @param detail the numbers behind it, readable
   */
  public record Rejection(Channel channel, RejectionReason reason, String detail) {}

  /**
   * One attempt of this request.
   *
   * @param channel where it went
   * @param startedAfterMs after the decision
   * @param latencyMs how long it took
   * @param outcome how it ended
   * @param hedge whether it was a parallel second attempt
   */
  public record Tried(
      Channel channel,
      double startedAfterMs,
      double latencyMs,
      AttemptOutcome outcome,
      boolean hedge) {}

  /** How the request ended for the client. */
  public enum Outcome {
    /** A provider's result. */
    ANSWERED,
    /** A provider's error, believed. */
    ANSWERED_ERROR,
    /** Nobody could serve: 503. */
    EXHAUSTED,
    /** The caller went away. */
    CANCELLED
  }
}
