package dev.lasso.replay.whatif;

import dev.lasso.replay.decide.RecordedTopics;
import dev.lasso.replay.measure.Latencies;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.LocalView;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.SelectionRequest;
import dev.lasso.routing.select.Selector;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.Topic;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Four minutes of requests to four simulated providers in simulated time, routed by the production
 * selection and recorded as a gateway records: all failures, five decisions a second, digests of
 * every attempt. The same seed gives the providers the same latencies under any strategy.
 */
final class SimulatedTraffic {
  static final long START_MS = 1_764_460_800_000L;
  static final int SECONDS = 240;
  private static final int PER_SECOND = 15;
  private static final Region HERE = Region.of("here");
  private static final ProfileSlug SLUG = ProfileSlug.of("default");
  private static final ChainId CHAIN = ChainId.of(1);
  private static final String METHOD = "eth_call";
  private static final double[] MEDIANS_MS = {40, 60, 90, 240};
  private static final double[] FAILS = {0.01, 0.05, 0, 0.02};

  private final long seed;
  private final StrategyName strategy;
  private final RecordedTopics topics = new RecordedTopics();
  private final SnapshotRecords steps = new SnapshotRecords(topics.topics());
  private final SnapshotFold fold = new SnapshotFold(HERE, _ -> null);
  private final TreeMap<String, Long> next = new TreeMap<>();
  private final Selector selector = new Selector(SelectionPolicy.DEFAULT);
  private final Latencies answered = new Latencies();
  private final Map<Channel, List<double[]>> window = new HashMap<>();
  private boolean asked;
  private long requests;
  private long unanswered;

  SimulatedTraffic(long seed, StrategyName strategy) {
    this.seed = seed;
    this.strategy = strategy;
  }

  /** Every request names its strategy itself. */
  SimulatedTraffic asking() {
    asked = true;
    return this;
  }

  RecordedTopics topics() {
    return topics;
  }

  /** Times of every request to its answer. */
  Latencies answered() {
    return answered;
  }

  double successRate() {
    return 1 - (double) unanswered / requests;
  }

  private <V> void state(Topic<?, V> topic, V value, long nowMs) {
    RawRecord record = topics.write(topic, value, nowMs);
    steps.read(record).applyTo(fold);
    next.put(record.topic().word() + "-" + record.partition(), record.offset() + 1);
  }

  /** The profile with all providers, routed so. */
  static Profile profile(RoutingSettings routing) {
    List<Provider> providers = new ArrayList<>();
    for (int i = 0; i < MEDIANS_MS.length; i++) {
      providers.add(Provider.of(ProviderId.of("p" + i), "http://p" + i + ".example/"));
    }
    ChainProfile plain = ChainProfile.of(CHAIN, ChainName.of("one"), providers);
    return new Profile(SLUG, "Default", 0, 0, List.of(plain.with(routing)));
  }

  SimulatedTraffic run() {
    state(
        topics.topics().profiles(),
        profile(RoutingSettings.of(StrategyName.LOAD_BALANCED, Map.of(), true, Hedge.OFF, 1)),
        START_MS);
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int second = 0; second < SECONDS; second++) {
      long nowMs = START_MS + second * 1_000L;
      for (int i = 0; i < PER_SECOND; i++) {
        request(nowMs + i * 1_000L / PER_SECOND, seeds.nextLong(), i < 5);
      }
      if (second % 2 == 1) {
        measured(nowMs + 999);
      }
    }
    return this;
  }

  private void request(long nowMs, long requestSeed, boolean recorded) {
    SnapshotPosition position =
        new SnapshotPosition(
            List.copyOf(next.keySet()),
            next.values().stream().mapToLong(Long::longValue).toArray());
    ActiveProfile profile = Objects.requireNonNull(fold.snapshot(position).profile(SLUG));
    ActiveChain chain = Objects.requireNonNull(profile.chain("1"));
    Plan plan =
        selector.select(
            chain.routes(),
            SelectionRequest.of(METHOD, "core", strategy),
            LocalView.NONE,
            nowMs,
            requestSeed);
    double elapsedMs = 0.3;
    boolean success = false;
    List<RoutingDecision.Tried> tried = new ArrayList<>();
    for (ChannelRow row : plan.channels()) {
      Channel channel = row.channel();
      int provider = channel.provider().value().charAt(1) - '0';
      SplittableRandom fate = new SplittableRandom(requestSeed * 31 + provider);
      success = fate.nextDouble() >= FAILS[provider];
      double tookMs = MEDIANS_MS[provider] * Math.exp(0.35 * fate.nextGaussian());
      AttemptOutcome outcome =
          success
              ? new AttemptOutcome.Success()
              : new AttemptOutcome.Failure(ErrorClass.SERVER_ERROR, null, 503, "busy", null);
      tried.add(new RoutingDecision.Tried(channel, elapsedMs, tookMs, outcome, false));
      window
          .computeIfAbsent(channel, _ -> new ArrayList<>())
          .add(new double[] {nowMs, tookMs, success ? 1 : 0});
      elapsedMs += tookMs;
      if (!success) {
        topics.write(
            topics.topics().attempts(),
            new Attempt(
                HERE,
                "gateway-1",
                SLUG,
                CHAIN,
                channel,
                METHOD,
                new RequestId(Long.toHexString(requestSeed)),
                nowMs + (long) elapsedMs,
                tookMs,
                outcome,
                0,
                0),
            nowMs);
      }
      if (success || tried.size() == 4) {
        break;
      }
    }
    requests++;
    if (success) {
      answered.add(elapsedMs);
    } else {
      unanswered++;
    }
    if (recorded || !success) {
      topics.write(
          topics.topics().routingDecisions(),
          decision(plan, position, tried, success, elapsedMs),
          nowMs);
    }
  }

  private RoutingDecision decision(
      Plan plan,
      SnapshotPosition position,
      List<RoutingDecision.Tried> tried,
      boolean success,
      double totalMs) {
    return new RoutingDecision(
        HERE,
        "gateway-1",
        new RequestId(Long.toHexString(plan.seed())),
        SLUG,
        CHAIN,
        plan.decidedAtMs(),
        new RoutingDecision.Facts(
            METHOD, "core", true, null, null, null, null, false, false, List.of(), List.of(), 5_000,
            asked, false),
        strategy,
        plan.seed(),
        Map.of(),
        position.toString(),
        plan.routes().channels().stream()
            .map(
                row ->
                    new RoutingDecision.Candidate(
                        row.channel(), CircuitStatus.CLOSED, 0, 0, true, 0, 0))
            .toList(),
        List.of(),
        plan.channels().stream().map(ChannelRow::channel).toList(),
        false,
        tried,
        success ? RoutingDecision.Outcome.ANSWERED : RoutingDecision.Outcome.EXHAUSTED,
        totalMs);
  }

  /** Digests of the last two seconds, and rows over the last minute. */
  private void measured(long nowMs) {
    window.forEach(
        (channel, attempts) -> {
          attempts.removeIf(attempt -> attempt[0] < nowMs - 60_000);
          Histogram recent = new Histogram(3);
          Latencies minute = new Latencies();
          long recentFailures = 0;
          long failures = 0;
          for (double[] attempt : attempts) {
            boolean good = attempt[2] > 0;
            boolean now = attempt[0] > nowMs - 2_000;
            failures += good ? 0 : 1;
            recentFailures += !good && now ? 1 : 0;
            if (good) {
              minute.add(attempt[1]);
              if (now) {
                recent.recordValue((long) (attempt[1] * 1_000));
              }
            }
          }
          if (recent.getTotalCount() + recentFailures > 0) {
            topics.write(
                topics.topics().latencyDigests(),
                digest(channel, recent, recentFailures, nowMs),
                nowMs);
          }
          double rate = 1 - (double) failures / Math.max(1, attempts.size());
          state(
              topics.topics().providerMetrics(),
              new ProviderMetrics(
                  HERE,
                  SLUG,
                  CHAIN,
                  channel,
                  METHOD,
                  nowMs,
                  minute.percentile(0.5),
                  minute.percentile(0.9),
                  minute.percentile(0.99),
                  minute.percentile(0.5),
                  rate,
                  attempts.size(),
                  attempts.size() / (attempts.size() + 10.0)),
              nowMs);
        });
  }

  private static LatencyDigest digest(
      Channel channel, Histogram histogram, long failures, long nowMs) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    histogram.encodeIntoCompressedByteBuffer(buffer);
    buffer.flip();
    return new LatencyDigest(
        HERE,
        "gateway-1",
        SLUG,
        CHAIN,
        channel,
        METHOD,
        nowMs - 1_999,
        nowMs,
        Bytes.copyOf(buffer),
        histogram.getTotalCount(),
        failures == 0 ? Map.of() : Map.of(ErrorClass.SERVER_ERROR, failures));
  }
}
