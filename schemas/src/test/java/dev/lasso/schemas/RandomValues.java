package dev.lasso.schemas;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.event.Presence;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.event.RoutingDecision;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Values of every topic, drawn from a seeded generator; odd texts and edge numbers included. */
final class RandomValues {
  private static final String[] TEXTS = {
    "", "eth_call", "a|b%7c", "line\nbreak\u0000", "ümläut 🎉", "\"quoted\"", " ", "x".repeat(300)
  };
  private static final long[] LONGS = {
    0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1_764_466_000_000L
  };

  private final RandomGenerator random;

  RandomValues(RandomGenerator random) {
    this.random = random;
  }

  Object valueOf(TopicName topic) {
    return switch (topic) {
      case PROFILES -> new RandomProfiles(random, this).profile();
      case PROBES -> probe();
      case ATTEMPTS -> attempt();
      case LATENCY_DIGESTS -> latencyDigest();
      case INSTANCE_HEALTH -> instanceHealth();
      case UPSTREAM_HEADS -> headSighting();
      case CHAIN_STATE -> chainState();
      case PROVIDER_METRICS -> providerMetrics();
      case CHAIN_EVENTS -> chainEvent();
      case ROUTING_DECISIONS -> routingDecision();
      case FILTERS -> filter();
      case PRESENCE -> presence();
      case DEAD_LETTERS -> throw new IllegalArgumentException("values are not of the domain");
    };
  }

  Attempt attempt() {
    return new Attempt(
        region(),
        text(),
        profile(),
        chain(),
        channel(),
        text(),
        new RequestId("request-" + random.nextLong()),
        time(),
        random.nextDouble(),
        outcome(),
        number(),
        number());
  }

  ProbeResult probe() {
    return new ProbeResult(
        region(),
        text(),
        chain(),
        endpoint(),
        time(),
        random.nextDouble(),
        outcome(),
        orNull(this::number),
        orNull(this::number),
        random.nextBoolean());
  }

  LatencyDigest latencyDigest() {
    Map<ErrorClass, Long> failures = new EnumMap<>(ErrorClass.class);
    for (int i = random.nextInt(5); i > 0; i--) {
      failures.put(oneOf(ErrorClass.values()), number());
    }
    return new LatencyDigest(
        region(), text(), profile(), chain(), channel(), text(), time(), time(), bytes(), number(),
        failures);
  }

  InstanceHealth instanceHealth() {
    return new InstanceHealth(
        region(),
        chain(),
        endpoint(),
        time(),
        oneOf(HealthStatus.values()),
        oneOf(CircuitStatus.values()),
        timeOrZero(),
        random.nextInt(),
        random.nextInt(),
        timeOrZero(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        orNull(this::number),
        orNull(this::failure),
        timeOrZero(),
        timeOrZero(),
        list(() -> new LearnedLimit(text(), number(), time())));
  }

  HeadSighting headSighting() {
    return new HeadSighting(
        region(),
        text(),
        chain(),
        instance(),
        number(),
        orNull(this::text),
        orNull(this::text),
        orNull(this::bytes),
        oneOf(HeadSighting.Source.values()),
        time(),
        random.nextDouble(),
        random.nextBoolean(),
        orNull(this::number),
        orNull(this::number));
  }

  ChainState chainState() {
    return new ChainState(
        region(),
        chain(),
        time(),
        orNull(this::number),
        timeOrZero(),
        orNull(this::number),
        orNull(this::number),
        orNull(random::nextDouble),
        list(
            () ->
                new ChainState.InstanceHeight(
                    instance(),
                    number(),
                    time(),
                    time(),
                    random.nextBoolean(),
                    random.nextBoolean())));
  }

  ProviderMetrics providerMetrics() {
    return new ProviderMetrics(
        region(),
        profile(),
        chain(),
        channel(),
        text(),
        time(),
        random.nextDouble(),
        random.nextDouble(),
        random.nextDouble(),
        random.nextDouble(),
        random.nextDouble(),
        number(),
        random.nextDouble());
  }

  ChainEvent chainEvent() {
    return switch (random.nextInt(4)) {
      case 0 ->
          new ChainEvent.BlockAdded(
              chain(),
              number(),
              time(),
              number(),
              text(),
              text(),
              bytes(),
              orNull(() -> list(this::bytes)),
              text());
      case 1 ->
          new ChainEvent.BlockRemoved(
              chain(), number(), time(), number(), text(), text(), orNull(() -> list(this::bytes)));
      case 2 -> new ChainEvent.Gap(chain(), number(), time(), number(), number(), text());
      default ->
          new ChainEvent.StreamStateChanged(
              chain(), number(), time(), number(), oneOf(ChainEvent.StreamState.values()), text());
    };
  }

  RoutingDecision routingDecision() {
    return new RoutingDecision(
        region(),
        text(),
        new RequestId("request-" + random.nextLong()),
        profile(),
        chain(),
        time(),
        facts(),
        oneOf(StrategyName.values()),
        random.nextLong(),
        random.nextBoolean() ? Map.of() : Map.of("fresh_ms", random.nextDouble(), "x", 3.0),
        text(),
        list(
            () ->
                new RoutingDecision.Candidate(
                    channel(),
                    oneOf(CircuitStatus.values()),
                    timeOrZero(),
                    random.nextInt(),
                    random.nextBoolean(),
                    random.nextInt(),
                    random.nextDouble())),
        list(
            () ->
                new RoutingDecision.Rejection(channel(), oneOf(RejectionReason.values()), text())),
        list(this::channel),
        random.nextBoolean(),
        list(
            () ->
                new RoutingDecision.Tried(
                    channel(),
                    random.nextDouble(),
                    random.nextDouble(),
                    outcome(),
                    random.nextBoolean())),
        oneOf(RoutingDecision.Outcome.values()),
        random.nextDouble());
  }

  private RoutingDecision.Facts facts() {
    return new RoutingDecision.Facts(
        text(),
        text(),
        random.nextBoolean(),
        orNull(() -> oneOf(Transport.values())),
        orNull(this::number),
        orNull(this::number),
        orNull(this::number),
        random.nextBoolean(),
        random.nextBoolean(),
        list(this::provider),
        list(this::provider),
        number(),
        random.nextBoolean(),
        random.nextBoolean());
  }

  ClientFilter filter() {
    long since = random.nextLong(1L << 40);
    return new ClientFilter(
        "0x" + Long.toHexString(random.nextLong(Long.MAX_VALUE)),
        profile(),
        chain(),
        oneOf(ClientFilter.Kind.values()),
        text(),
        text(),
        since,
        orNull(() -> new ClientFilter.Start(number(), text())),
        since + random.nextInt(1_000),
        time(),
        time(),
        text(),
        text(),
        random.nextBoolean());
  }

  Presence presence() {
    Map<String, Long> lag = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      lag.put(text(), number());
    }
    return new Presence(
        region(),
        text(),
        text(),
        text(),
        time(),
        time(),
        random.nextBoolean(),
        orNull(this::text),
        list(this::text),
        list(this::chain),
        list(this::chain),
        lag,
        text(),
        list(this::text));
  }

  AttemptOutcome outcome() {
    return switch (random.nextInt(3)) {
      case 0 -> new AttemptOutcome.Success();
      case 1 -> new AttemptOutcome.Cancelled();
      default -> failure();
    };
  }

  private AttemptOutcome.Failure failure() {
    return new AttemptOutcome.Failure(
        oneOf(ErrorClass.values()),
        orNull(random::nextInt),
        orNull(random::nextInt),
        text(),
        orNull(this::number));
  }

  Channel channel() {
    return new Channel(provider(), instance(), oneOf(Transport.values()));
  }

  Endpoint endpoint() {
    return new Endpoint(instance(), oneOf(Transport.values()));
  }

  ProviderId provider() {
    return ProviderId.of("provider-" + random.nextInt(20));
  }

  InstanceId instance() {
    return InstanceId.of("node.example-" + random.nextInt(20));
  }

  Region region() {
    return Region.of("region-" + random.nextInt(3));
  }

  ProfileSlug profile() {
    return ProfileSlug.of("profile_" + random.nextInt(3));
  }

  ChainId chain() {
    return ChainId.of(1 + (random.nextLong() >>> 1) % Long.MAX_VALUE);
  }

  Bytes bytes() {
    byte[] content = new byte[random.nextInt(200)];
    random.nextBytes(content);
    return Bytes.copyOf(content);
  }

  String text() {
    return oneOf(TEXTS);
  }

  long number() {
    return random.nextBoolean() ? LONGS[random.nextInt(LONGS.length)] : random.nextLong();
  }

  long time() {
    return random.nextLong(4_000_000_000_000L);
  }

  private long timeOrZero() {
    return random.nextBoolean() ? 0 : time();
  }

  <T> T oneOf(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  <T> @Nullable T orNull(Supplier<T> value) {
    return random.nextInt(3) == 0 ? null : value.get();
  }

  <T> List<T> list(Supplier<T> item) {
    List<T> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(item.get());
    }
    return items;
  }
}
