package dev.lasso.replay.decide;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.Templated;
import dev.lasso.routing.select.LocalEndpoint;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.SelectionRequest;
import dev.lasso.routing.select.Selector;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A random history of the state topics, and two processes that decide from what each has read of it
 * so far: circuits, limits, heights and evidence change, profiles change, providers are behind a
 * variable that only the processes have.
 */
final class RandomHistory {
  static final ChainId CHAIN = ChainId.of(1);
  static final long START_MS = 1_764_460_800_000L;
  private static final ProfileSlug SLUG = ProfileSlug.of("default");
  private static final Region REGION = Region.of("here");
  private static final String[] METHODS = {"eth_call", "eth_blockNumber", "eth_getLogs"};
  private static final SelectionPolicy POLICY =
      SelectionPolicy.of(Map.of("weighted_beta", 2.0, "fastest_explore_every", 3.0));

  private final SplittableRandom random;
  private final RecordedTopics topics = new RecordedTopics();
  private final SnapshotRecords steps = new SnapshotRecords(topics.topics());
  private final List<Gateway> processes =
      List.of(new Gateway("gateway-1"), new Gateway("gateway-2"));
  private final List<Waiting> waiting = new ArrayList<>();
  private int providers = 3;
  private int generation;
  private long nowMs = START_MS;
  private long decided;
  private List<Channel> channels = List.of();

  private record Waiting(RoutingDecision decision, long endsMs) {}

  /** A process and what it has read. */
  private final class Gateway {
    private final String name;
    private final SnapshotFold fold =
        new SnapshotFold(REGION, variable -> variable.equals("KEY") ? "secret" : null);
    private final TreeMap<String, Long> next = new TreeMap<>();
    private final Selector selector = new Selector(POLICY);

    Gateway(String name) {
      this.name = name;
    }

    /** Reads each partition up to its end, or not at all. */
    void read() {
      Map<String, Long> upTo = new HashMap<>();
      topics
          .ends()
          .forEach(
              (place, end) -> {
                if (random.nextInt(3) > 0) {
                  upTo.put(place, end);
                }
              });
      for (RawRecord record : topics.records()) {
        String place = record.topic().word() + "-" + record.partition();
        Long end = upTo.get(place);
        if (SnapshotRecords.SOURCES.contains(record.topic())
            && end != null
            && record.offset() >= next.getOrDefault(place, 0L)) {
          steps.read(record).applyTo(fold);
          next.put(place, end.equals(record.offset() + 1) ? end : record.offset() + 1);
        }
      }
      // a consumer's position is past the markers
      next.replaceAll((place, offset) -> upTo.getOrDefault(place, offset));
    }

    SnapshotPosition position() {
      return new SnapshotPosition(
          List.copyOf(next.keySet()), next.values().stream().mapToLong(Long::longValue).toArray());
    }

    @Nullable RoutingDecision decide() {
      ActiveProfile profile = fold.snapshot(position()).profile(SLUG);
      ActiveChain chain = profile == null ? null : profile.chain("1");
      if (chain == null) {
        return null;
      }
      String method = METHODS[random.nextInt(METHODS.length)];
      StrategyName strategy = oneOf(List.of(StrategyName.values()));
      SelectionRequest request =
          new SelectionRequest(
              method,
              "core",
              strategy,
              random.nextInt(4) > 0,
              null,
              SelectionRequest.UNBOUND,
              SelectionRequest.UNBOUND,
              random.nextInt(10) == 0 ? 1_000 : SelectionRequest.UNBOUND,
              false,
              random.nextInt(4) == 0,
              Set.of(),
              random.nextInt(5) == 0 ? Set.of(ProviderId.of("p1")) : Set.of());
      Map<Endpoint, LocalEndpoint> local = new HashMap<>();
      Plan plan =
          selector.select(
              chain.routes(),
              request,
              endpoint -> local.computeIfAbsent(endpoint, _ -> local()),
              nowMs,
              random.nextLong());
      return event(name, plan, position());
    }
  }

  RandomHistory(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Lets it happen. Returns the topics. */
  RecordedTopics run(int steps) {
    profile();
    for (int i = 0; i < steps; i++) {
      nowMs += random.nextInt(400);
      change();
      Gateway process = processes.get(random.nextInt(processes.size()));
      if (random.nextInt(3) > 0) {
        process.read();
      }
      RoutingDecision decision = process.decide();
      if (decision != null) {
        decided++;
        waiting.add(new Waiting(decision, nowMs + (random.nextInt(9) == 0 ? 9_000 : 20)));
      }
      waiting.removeIf(
          each -> {
            boolean over = each.endsMs() <= nowMs;
            if (over) {
              topics.write(topics.topics().routingDecisions(), each.decision(), nowMs);
            }
            return over;
          });
    }
    waiting.forEach(
        each -> topics.write(topics.topics().routingDecisions(), each.decision(), nowMs));
    return topics;
  }

  /** Decisions taken. */
  long decided() {
    return decided;
  }

  private void change() {
    switch (random.nextInt(12)) {
      case 0 -> {
        if (random.nextInt(4) == 0) {
          providers = 2 + random.nextInt(3);
          generation = random.nextInt(2);
          profile();
        }
      }
      case 1, 2, 3 -> health();
      case 4 ->
          topics.remove(
              topics.topics().instanceHealth(), new EndpointKey(REGION, endpoint()), nowMs);
      case 5, 6, 7 -> heights();
      default -> metrics();
    }
  }

  private void profile() {
    channels = List.of();
    List<Provider> list = new ArrayList<>();
    for (int i = 1; i <= providers; i++) {
      list.add(
          new Provider(
              ProviderId.of("p" + i),
              "p" + i,
              Templated.parse("https://p" + i + ".example/${KEY}/" + (i == 1 ? generation : 0)),
              null,
              100 - i,
              true,
              true,
              Map.of(),
              null,
              Sharing.SHARED,
              Capabilities.ALL));
    }
    topics.write(
        topics.topics().profiles(),
        new Profile(
            SLUG, "Default", 0, 0, List.of(ChainProfile.of(CHAIN, ChainName.of("one"), list))),
        nowMs);
  }

  private List<Channel> channels() {
    if (channels.isEmpty()) {
      channels = channelsInForce();
    }
    return channels;
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private List<Channel> channelsInForce() {
    SnapshotFold fold =
        new SnapshotFold(REGION, variable -> variable.equals("KEY") ? "secret" : null);
    for (RawRecord record : topics.records()) {
      if (record.topic() == TopicName.PROFILES) {
        steps.read(record).applyTo(fold);
      }
    }
    ActiveProfile profile = fold.snapshot(SnapshotPosition.START).profile(SLUG);
    ActiveChain chain = profile == null ? null : profile.chain("1");
    return chain == null
        ? List.of()
        : chain.routes().channels().stream().map(row -> row.channel()).toList();
  }

  private Channel channel() {
    List<Channel> channels = channels();
    return channels.get(random.nextInt(channels.size()));
  }

  private Endpoint endpoint() {
    return channel().endpoint();
  }

  private void health() {
    CircuitStatus circuit = oneOf(List.of(CircuitStatus.values()));
    topics.write(
        topics.topics().instanceHealth(),
        new InstanceHealth(
            REGION,
            CHAIN,
            endpoint(),
            nowMs,
            HealthStatus.HEALTHY,
            circuit,
            circuit == CircuitStatus.OPEN ? nowMs + random.nextInt(5_000) : 0,
            0,
            0,
            random.nextInt(3) == 0 ? nowMs + 2_000 : 0,
            0,
            random.nextInt(6),
            0,
            null,
            null,
            0,
            0,
            List.of()),
        nowMs);
  }

  private void heights() {
    List<ChainState.InstanceHeight> heights = new ArrayList<>();
    for (Channel channel : channels()) {
      heights.add(
          new ChainState.InstanceHeight(
              channel.instance(),
              990 + random.nextInt(20),
              nowMs - random.nextInt(9_000),
              nowMs,
              false,
              false));
    }
    topics.write(
        topics.topics().chainState(),
        new ChainState(REGION, CHAIN, nowMs, 1_000L, nowMs, null, null, 12_000.0, heights),
        nowMs);
  }

  private void metrics() {
    topics.write(
        topics.topics().providerMetrics(),
        new ProviderMetrics(
            REGION,
            SLUG,
            CHAIN,
            channel(),
            METHODS[random.nextInt(METHODS.length)],
            nowMs,
            10 + random.nextDouble() * 100,
            200,
            300,
            50,
            random.nextDouble(),
            random.nextInt(50),
            random.nextDouble()),
        nowMs);
  }

  private LocalEndpoint local() {
    boolean calm = random.nextInt(3) > 0;
    CircuitStatus circuit = calm ? CircuitStatus.CLOSED : oneOf(List.of(CircuitStatus.values()));
    long limitedUntil = calm ? 0 : nowMs + random.nextInt(2_000) - 1_000;
    int trials = calm ? 0 : random.nextInt(2);
    int inFlight = random.nextInt(9);
    double ewma = random.nextDouble() * 50;
    return new LocalEndpoint() {
      @Override
      public CircuitStatus circuitAt(long atMs) {
        return circuit;
      }

      @Override
      public long rateLimitedUntilMs() {
        return limitedUntil;
      }

      @Override
      public int trialsInFlight() {
        return trials;
      }

      @Override
      public boolean connected() {
        return true;
      }

      @Override
      public int inFlight() {
        return inFlight;
      }

      @Override
      public double latencyEwmaMs() {
        return ewma;
      }
    };
  }

  static RoutingDecision event(String process, Plan plan, SnapshotPosition position) {
    SelectionRequest request = plan.request();
    List<RoutingDecision.Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < plan.routes().channels().size(); i++) {
      Plan.Local local = plan.local(i);
      candidates.add(
          new RoutingDecision.Candidate(
              plan.routes().channels().get(i).channel(),
              local.circuit(),
              local.rateLimitedUntilMs(),
              local.trialsInFlight(),
              local.connected(),
              local.inFlight(),
              local.latencyEwmaMs()));
    }
    return new RoutingDecision(
        REGION,
        process,
        new RequestId(Long.toHexString(plan.seed())),
        SLUG,
        CHAIN,
        plan.decidedAtMs(),
        new RoutingDecision.Facts(
            request.method(),
            request.category(),
            request.replaySafe(),
            null,
            null,
            null,
            request.minBlock() == SelectionRequest.UNBOUND ? null : request.minBlock(),
            false,
            request.excludeRateLimited(),
            List.of(),
            request.excluded().stream().sorted().toList(),
            5_000,
            true,
            false),
        request.strategy(),
        plan.seed(),
        POLICY.numbers(),
        position.toString(),
        candidates,
        plan.rejections().stream()
            .map(
                each ->
                    new RoutingDecision.Rejection(
                        each.channel().channel(), each.reason(), each.detail()))
            .toList(),
        plan.channels().stream().map(row -> row.channel()).toList(),
        plan.degraded(),
        plan.isEmpty()
            ? List.of()
            : List.of(
                new RoutingDecision.Tried(
                    plan.channel(0).channel(),
                    0,
                    12,
                    new AttemptOutcome.Failure(ErrorClass.TIMEOUT, null, null, "slow", null),
                    false)),
        RoutingDecision.Outcome.ANSWERED,
        15);
  }
}
