package dev.lasso.replay.whatif;

import dev.lasso.replay.measure.Latencies;
import dev.lasso.replay.read.TopicEvents;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.schemas.RawRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What attempts met, by channel, method and time: counts and latencies from digests, which are
 * complete, latencies of failures from attempts, which are recorded whenever they fail. Times are
 * cut into at most {@value #SLICES} slices. Owned by one thread.
 */
final class Experience implements TopicEvents {
  private static final int SLICES = 120;
  private static final long SHORTEST_SLICE_MS = 10_000;

  private final @Nullable String profile;
  private final long fromMs;
  private final long sliceMs;
  private final Map<Met, Map<Long, Share>> met = new HashMap<>();
  private final Map<Met, Share> overall = new HashMap<>();
  private final Map<Traffic, Long> answered = new HashMap<>();
  private final Map<Traffic, Long> sampled = new HashMap<>();
  private final Map<Channel, Map<Long, Load>> loads = new HashMap<>();

  /** What is told apart. */
  private record Met(Region region, ChainId chain, Channel channel, String method) {}

  private record Traffic(
      Region region, String process, ProfileSlug profile, ChainId chain, long slice) {}

  /** Attempts of one slice at one provider. */
  static final class Load {
    private long attempts;
    private long rateLimited;

    long attempts() {
      return attempts;
    }

    long rateLimited() {
      return rateLimited;
    }
  }

  /** What attempts of one kind met in one slice. */
  static final class Share {
    private final Latencies successes = new Latencies();
    private final Latencies failures = new Latencies();
    private long succeeded;
    private long failed;
    private long rateLimited;

    Latencies successes() {
      return successes;
    }

    Latencies failures() {
      return failures;
    }

    long attempts() {
      return succeeded + failed;
    }

    double successRate() {
      return attempts() == 0 ? 0 : (double) succeeded / attempts();
    }

    /** The share of attempts that were refused for a rate limit or quota. */
    double rateLimitedRate() {
      return attempts() == 0 ? 0 : (double) rateLimited / attempts();
    }
  }

  /**
   * Nothing met yet.
   *
   * @param profile whose attempts count as load, or null for everybody's
   */
  Experience(long fromMs, long toMs, @Nullable String profile) {
    this.profile = profile;
    this.fromMs = fromMs;
    long lengthMs = Math.max(1, toMs - fromMs);
    this.sliceMs = Math.max(Math.min(SHORTEST_SLICE_MS, lengthMs), lengthMs / SLICES + 1);
  }

  long sliceMs() {
    return sliceMs;
  }

  long slice(long atMs) {
    return Math.floorDiv(atMs - fromMs, sliceMs);
  }

  @Override
  public void digest(LatencyDigest digest) {
    long slice = slice(digest.fromMs());
    Met key = new Met(digest.region(), digest.chain(), digest.channel(), digest.method());
    long failed = digest.failures().values().stream().mapToLong(Long::longValue).sum();
    long rateLimited =
        digest.failures().getOrDefault(ErrorClass.RATE_LIMIT, 0L)
            + digest.failures().getOrDefault(ErrorClass.QUOTA_EXCEEDED, 0L);
    for (Share share : shares(key, slice)) {
      share.successes.add(digest);
      share.succeeded += digest.successes();
      share.failed += failed;
      share.rateLimited += rateLimited;
    }
    if (profile == null || digest.profile().value().equals(profile)) {
      Load load = load(digest.channel(), slice);
      load.attempts += digest.successes() + failed;
      load.rateLimited += rateLimited;
    }
    answered.merge(
        new Traffic(digest.region(), digest.process(), digest.profile(), digest.chain(), slice),
        digest.successes(),
        Long::sum);
  }

  private Share[] shares(Met key, long slice) {
    return new Share[] {
      met.computeIfAbsent(key, _ -> new HashMap<>()).computeIfAbsent(slice, _ -> new Share()),
      overall.computeIfAbsent(key, _ -> new Share())
    };
  }

  private Load load(Channel channel, long slice) {
    return loads
        .computeIfAbsent(channel, _ -> new TreeMap<>())
        .computeIfAbsent(slice, _ -> new Load());
  }

  @Override
  public void attempt(Attempt attempt) {
    if (attempt.outcome() instanceof AttemptOutcome.Failure) {
      Met key = new Met(attempt.region(), attempt.chain(), attempt.channel(), attempt.method());
      for (Share share : shares(key, slice(attempt.endedAtMs()))) {
        share.failures.add(attempt.latencyMs());
      }
    }
  }

  @Override
  public void decision(RawRecord record, RoutingDecision decision) {
    if (answered(decision)) {
      sampled.merge(traffic(decision), 1L, Long::sum);
    }
  }

  private static boolean answered(RoutingDecision decision) {
    return switch (decision.outcome()) {
      case ANSWERED, ANSWERED_ERROR -> true;
      case EXHAUSTED, CANCELLED -> false;
    };
  }

  private Traffic traffic(RoutingDecision decision) {
    return new Traffic(
        decision.region(),
        decision.process(),
        decision.profile(),
        decision.chain(),
        slice(decision.decidedAtMs()));
  }

  /**
   * How many requests a recorded decision stands for: failures are all recorded, of the others a
   * budget.
   */
  double weight(RoutingDecision decision) {
    if (!answered(decision)) {
      return 1;
    }
    Traffic traffic = traffic(decision);
    long recorded = sampled.getOrDefault(traffic, 1L);
    return Math.max(1, (double) answered.getOrDefault(traffic, 0L) / recorded);
  }

  /**
   * What attempts like this one met at that time: in its slice, or the whole period when the slice
   * knows too little; null when nothing is known.
   *
   * @param least attempts that count as enough
   */
  @Nullable Share met(
      Region region, ChainId chain, Channel channel, String method, long atMs, int least) {
    Met key = new Met(region, chain, channel, method);
    Share then = met.getOrDefault(key, Map.of()).get(slice(atMs));
    if (then != null && then.attempts() >= least) {
      return then;
    }
    Share whole = overall.get(key);
    return whole == null || whole.attempts() == 0 ? null : whole;
  }

  /** Attempts at each channel, by slice. */
  Map<Channel, Map<Long, Load>> loads() {
    return loads;
  }
}
