package dev.lasso.replay.timeline;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.select.ChainRoutes;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who lags, lies about its head or is syncing, and chains whose head stands still. Lag is what
 * selection takes it for, read from the region's snapshot.
 */
final class HeightDetector {
  private final Entries entries;
  private final Map<Place, Episode> lagging = new HashMap<>();
  private final Map<Place, Episode> quarantined = new HashMap<>();
  private final Map<Place, Episode> syncing = new HashMap<>();
  private final Map<ChainPlace, ChainState> states = new HashMap<>();
  private final Map<ChainPlace, Episode> stalled = new HashMap<>();

  private record Place(Region region, ChainId chain, InstanceId instance) {}

  private record ChainPlace(Region region, ChainId chain) {}

  /** Something that goes on for a while. */
  private static final class Episode {
    private final long fromMs;
    private long worst;
    private String numbers = "";

    Episode(long fromMs) {
      this.fromMs = fromMs;
    }
  }

  HeightDetector(Entries entries) {
    this.entries = entries;
  }

  /** A chain's heights changed; the snapshot holds them. */
  void take(ChainState state, RoutingSnapshot snapshot) {
    ChainPlace place = new ChainPlace(state.region(), state.chain());
    ChainState before = states.put(place, state);
    fell(before, state);
    risen(place, before, state);
    lag(state, snapshot);
    flags(state);
  }

  private void fell(@Nullable ChainState before, ChainState now) {
    if (before != null
        && before.consensusHeight() != null
        && now.consensusHeight() != null
        && now.consensusHeight() < before.consensusHeight()) {
      entries.add(
          Entry.at(
              now.atMs(),
              Kind.REORG,
              Severity.WARN,
              Subject.chain(now.region(), now.chain()),
              "consensus height fell from "
                  + before.consensusHeight()
                  + " to "
                  + now.consensusHeight()));
    }
  }

  private void risen(ChainPlace place, @Nullable ChainState before, ChainState now) {
    Episode stall = stalled.get(place);
    if (stall != null && (before == null || now.consensusAtMs() > before.consensusAtMs())) {
      stalled.remove(place);
      entries.add(stall(place, stall, now.consensusAtMs()));
    }
  }

  /** Time has passed: heads that have stood still for too long. */
  void tick(long nowMs) {
    states.forEach(
        (place, state) -> {
          Double blockTime = state.blockTimeMs();
          long patience = 10_000 + (long) (3 * (blockTime == null ? 12_000 : blockTime));
          if (state.consensusHeight() != null
              && nowMs - state.consensusAtMs() > patience
              && !stalled.containsKey(place)) {
            Episode episode = new Episode(state.consensusAtMs());
            episode.worst = state.consensusHeight();
            stalled.put(place, episode);
          }
        });
  }

  private static Entry stall(ChainPlace place, Episode stall, long toMs) {
    return new Entry(
        stall.fromMs,
        toMs,
        Kind.HEAD,
        Severity.WARN,
        Subject.chain(place.region(), place.chain()),
        "head stood still at " + stall.worst + " for " + Words.duration(toMs - stall.fromMs));
  }

  private void lag(ChainState state, RoutingSnapshot snapshot) {
    Set<InstanceId> behind = new HashSet<>();
    for (ActiveProfile profile : snapshot.profiles()) {
      ActiveChain chain = profile.chain(state.chain().toString());
      if (chain != null) {
        ChainRoutes routes = chain.routes();
        for (ChannelRow row : routes.channels()) {
          long lag = routes.lagBlocks(row, state.atMs());
          if (lag > routes.maxLagBlocks()) {
            InstanceId instance = row.channel().instance();
            behind.add(instance);
            Episode episode =
                lagging.computeIfAbsent(
                    new Place(state.region(), state.chain(), instance),
                    _ -> new Episode(state.atMs()));
            if (lag > episode.worst) {
              episode.worst = lag;
              episode.numbers =
                  "up to "
                      + lag
                      + " blocks behind consensus "
                      + routes.consensusHeight()
                      + " ("
                      + routes.maxLagBlocks()
                      + " allowed)";
            }
          }
        }
      }
    }
    over(lagging, state, behind, Kind.LAG, Severity.WARN, "lagged: ");
  }

  private void flags(ChainState state) {
    Set<InstanceId> lying = new HashSet<>();
    Set<InstanceId> behind = new HashSet<>();
    for (ChainState.InstanceHeight height : state.heights()) {
      Place place = new Place(state.region(), state.chain(), height.instance());
      if (height.quarantined()) {
        lying.add(height.instance());
        Episode episode = quarantined.computeIfAbsent(place, _ -> new Episode(state.atMs()));
        episode.numbers =
            "height " + height.height() + " while consensus was " + state.consensusHeight();
      }
      if (height.syncing()) {
        behind.add(height.instance());
        Episode episode = syncing.computeIfAbsent(place, _ -> new Episode(state.atMs()));
        episode.numbers = "at height " + height.height();
      }
    }
    over(
        quarantined,
        state,
        lying,
        Kind.HEAD,
        Severity.BAD,
        "showed an implausible head, kept out of the consensus: ");
    over(syncing, state, behind, Kind.LAG, Severity.WARN, "said it was syncing, ");
  }

  /** Closes the episodes of this chain whose instance is no longer among those given. */
  private void over(
      Map<Place, Episode> episodes,
      ChainState state,
      Set<InstanceId> still,
      Kind kind,
      Severity severity,
      String text) {
    episodes
        .entrySet()
        .removeIf(
            entry -> {
              Place place = entry.getKey();
              boolean over =
                  place.region().equals(state.region())
                      && place.chain().equals(state.chain())
                      && !still.contains(place.instance());
              if (over) {
                tell(place, entry.getValue(), state.atMs(), kind, severity, text, "");
              }
              return over;
            });
  }

  private void tell(
      Place place,
      Episode episode,
      long toMs,
      Kind kind,
      Severity severity,
      String text,
      String ending) {
    entries.add(
        new Entry(
            episode.fromMs,
            toMs,
            kind,
            severity,
            Subject.endpoint(place.region(), place.chain(), place.instance(), null),
            text
                + episode.numbers
                + ", for "
                + (toMs == episode.fromMs ? "a moment" : Words.duration(toMs - episode.fromMs))
                + ending));
  }

  /** The period is over; what goes on is told so. */
  void finish(long nowMs) {
    String ending = " and still at the end";
    lagging.forEach(
        (place, episode) ->
            tell(place, episode, nowMs, Kind.LAG, Severity.WARN, "lagged: ", ending));
    quarantined.forEach(
        (place, episode) ->
            tell(
                place,
                episode,
                nowMs,
                Kind.HEAD,
                Severity.BAD,
                "showed an implausible head, kept out of the consensus: ",
                ending));
    syncing.forEach(
        (place, episode) ->
            tell(place, episode, nowMs, Kind.LAG, Severity.WARN, "said it was syncing, ", ending));
    stalled.forEach((place, episode) -> entries.add(stall(place, episode, nowMs)));
  }
}
