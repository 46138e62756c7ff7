package dev.lasso.routing.select;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.profile.Capabilities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds chain routes and local state for selection tests. The clock stands at {@link #NOW_MS}. */
final class RoutesFixture {
  static final long NOW_MS = 1_000_000_000L;

  private final SequencedMap<String, ChannelRow> rows = new LinkedHashMap<>();
  private final Map<String, Map<String, Evidence>> evidence = new HashMap<>();
  private final Map<Endpoint, LocalEndpoint> local = new HashMap<>();
  private @Nullable Long consensus;
  private boolean serveLeastLagging = true;

  static RoutesFixture of(String... providers) {
    RoutesFixture fixture = new RoutesFixture();
    for (String provider : providers) {
      fixture.http(provider);
    }
    return fixture;
  }

  RoutesFixture http(String provider) {
    return add(provider, Transport.HTTP);
  }

  RoutesFixture ws(String provider) {
    return add(provider, Transport.WS);
  }

  private RoutesFixture add(String provider, Transport transport) {
    Channel channel =
        new Channel(ProviderId.of(provider), InstanceId.of("node-" + provider), transport);
    rows.put(
        name(provider, transport),
        new ChannelRow(
            channel, channel.endpoint(), 100, true, Capabilities.ALL, FleetState.UNKNOWN, null));
    return this;
  }

  private static String name(String provider, Transport transport) {
    return provider + "/" + transport.word();
  }

  private void change(String provider, UnaryOperator<ChannelRow> change) {
    for (Transport transport : Transport.values()) {
      rows.computeIfPresent(name(provider, transport), (_, row) -> change.apply(row));
    }
  }

  RoutesFixture fleet(String provider, FleetState state) {
    change(provider, row -> row.with(state, row.height()));
    return this;
  }

  RoutesFixture open(String provider) {
    return fleet(
        provider, new FleetState(CircuitStatus.OPEN, NOW_MS + 10_000, 0, null, List.of(), null));
  }

  RoutesFixture halfOpen(String provider) {
    return fleet(provider, new FleetState(CircuitStatus.HALF_OPEN, 0, 0, null, List.of(), null));
  }

  RoutesFixture rateLimited(String provider) {
    return fleet(
        provider, new FleetState(CircuitStatus.CLOSED, 0, NOW_MS + 5_000, null, List.of(), null));
  }

  RoutesFixture wrongChain(String provider, long seen) {
    return fleet(provider, new FleetState(CircuitStatus.CLOSED, 0, 0, seen, List.of(), null));
  }

  RoutesFixture learned(String provider, LearnedLimit limit) {
    return fleet(provider, new FleetState(CircuitStatus.CLOSED, 0, 0, null, List.of(limit), null));
  }

  RoutesFixture height(String provider, long number) {
    change(provider, row -> row.with(row.fleet(), new Height(number, NOW_MS, false)));
    return this;
  }

  RoutesFixture syncing(String provider, long number) {
    change(provider, row -> row.with(row.fleet(), new Height(number, NOW_MS, true)));
    return this;
  }

  RoutesFixture seenBefore(String provider, long number, long agoMs) {
    change(provider, row -> row.with(row.fleet(), new Height(number, NOW_MS - agoMs, false)));
    return this;
  }

  RoutesFixture configured(
      String provider, int priority, boolean archival, Capabilities capabilities) {
    change(
        provider,
        row ->
            new ChannelRow(
                row.channel(),
                row.endpoint(),
                priority,
                archival,
                capabilities,
                row.fleet(),
                row.height()));
    return this;
  }

  RoutesFixture consensus(long height) {
    consensus = height;
    return this;
  }

  RoutesFixture rejectWhenAllLag() {
    serveLeastLagging = false;
    return this;
  }

  RoutesFixture evidence(String provider, String method, Evidence row) {
    evidence.computeIfAbsent(method, _ -> new HashMap<>()).put(name(provider, Transport.HTTP), row);
    return this;
  }

  /** Fresh evidence with full confidence. */
  RoutesFixture latency(String provider, String method, double latencyMs) {
    return evidence(provider, method, new Evidence(latencyMs, latencyMs, 1, 100, 1, NOW_MS));
  }

  RoutesFixture local(String provider, Transport transport, LocalEndpoint state) {
    ChannelRow row = rows.get(name(provider, transport));
    if (row == null) {
      throw new IllegalArgumentException("no such channel");
    }
    local.put(row.endpoint(), state);
    return this;
  }

  LocalView localView() {
    return endpoint -> local.getOrDefault(endpoint, LocalEndpoint.IDLE);
  }

  ChainRoutes routes() {
    List<String> order = new ArrayList<>(rows.keySet());
    Map<String, @Nullable Evidence[]> laidOut = new HashMap<>();
    evidence.forEach(
        (method, byChannel) -> {
          @Nullable Evidence[] layout = new @Nullable Evidence[order.size()];
          for (int i = 0; i < layout.length; i++) {
            layout[i] = byChannel.get(order.get(i));
          }
          laidOut.put(method, layout);
        });
    return new ChainRoutes(
        ProfileSlug.of("default"),
        ChainId.of(1),
        List.copyOf(rows.values()),
        laidOut,
        consensus,
        1_000,
        2,
        serveLeastLagging);
  }

  Plan select(SelectionRequest request, long seed) {
    return new Selector(SelectionPolicy.DEFAULT)
        .select(routes(), request, localView(), NOW_MS, seed);
  }

  /** Channel names of a plan, as {@code provider/transport}. */
  static List<String> names(Plan plan) {
    return plan.channels().stream()
        .map(row -> name(row.channel().provider().value(), row.channel().transport()))
        .toList();
  }

  /** A local endpoint with the given state. */
  static LocalEndpoint state(
      CircuitStatus circuit,
      long rateLimitedUntilMs,
      int trials,
      boolean connected,
      int inFlight,
      double ewmaMs) {
    return new LocalEndpoint() {
      @Override
      public CircuitStatus circuitAt(long nowMs) {
        return circuit;
      }

      @Override
      public long rateLimitedUntilMs() {
        return rateLimitedUntilMs;
      }

      @Override
      public int trialsInFlight() {
        return trials;
      }

      @Override
      public boolean connected() {
        return connected;
      }

      @Override
      public int inFlight() {
        return inFlight;
      }

      @Override
      public double latencyEwmaMs() {
        return ewmaMs;
      }
    };
  }
}
