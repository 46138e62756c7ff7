package dev.lasso.replay.state;

import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.select.ChainRoutes;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Evidence;
import dev.lasso.routing.select.FleetState;
import dev.lasso.routing.select.Height;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A snapshot as nested maps of texts and numbers, for JSON, for people and to compare two. */
public final class StateTree {
  private StateTree() {}

  /**
   * Everything that a process knew.
   *
   * @param atMs the moment: lag and circuits are judged as of then
   */
  public static Map<String, Object> of(RoutingSnapshot snapshot, long atMs) {
    Map<String, Object> profiles = new LinkedHashMap<>();
    List<ActiveProfile> sorted =
        snapshot.profiles().stream()
            .sorted(Comparator.comparing(profile -> profile.profile().slug().value()))
            .toList();
    for (ActiveProfile profile : sorted) {
      Map<String, Object> chains = new LinkedHashMap<>();
      for (ActiveChain chain : profile.chains()) {
        chains.put(chain.settings().key().value(), of(chain, atMs));
      }
      profiles.put(profile.profile().slug().value(), chains);
    }
    return profiles;
  }

  private static Map<String, Object> of(ActiveChain chain, long atMs) {
    ChainRoutes routes = chain.routes();
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("chain_id", chain.settings().chainId().value());
    tree.put("strategy", chain.settings().routing().defaultStrategy().word());
    tree.put("consensus_height", routes.consensusHeight());
    tree.put("block_time_ms", routes.blockTimeMs());
    tree.put("max_lag_blocks", routes.maxLagBlocks());
    if (chain.state() != null) {
      tree.put("safe", chain.state().safe());
      tree.put("finalized", chain.state().finalized());
    }
    Map<String, Object> channels = new LinkedHashMap<>();
    List<ChannelRow> rows = routes.channels();
    for (int i = 0; i < rows.size(); i++) {
      ChannelRow row = rows.get(i);
      channels.put(
          row.channel().provider().value() + " " + row.channel().transport().word(),
          of(routes, i, atMs));
    }
    tree.put("channels", channels);
    Map<String, Object> unusable = new LinkedHashMap<>();
    chain.unusable().forEach(one -> unusable.put(one.provider().value(), one.reason()));
    if (!unusable.isEmpty()) {
      tree.put("unusable", unusable);
    }
    return present(tree);
  }

  private static Map<String, Object> of(ChainRoutes routes, int index, long atMs) {
    ChannelRow row = routes.channels().get(index);
    FleetState fleet = row.fleet();
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("instance", row.channel().instance().value());
    tree.put("circuit", fleet.circuitAt(atMs).name().toLowerCase(Locale.ROOT));
    if (fleet.openUntilMs() > 0) {
      tree.put("open_until", Instant.ofEpochMilli(fleet.openUntilMs()).toString());
    }
    if (fleet.rateLimitedUntilMs() > atMs) {
      tree.put("rate_limited_until", Instant.ofEpochMilli(fleet.rateLimitedUntilMs()).toString());
    }
    tree.put("wrong_chain_id", fleet.wrongChainId());
    Height height = row.height();
    if (height != null) {
      tree.put("height", height.number());
      tree.put("lag_blocks", Math.max(0, routes.lagBlocks(row, atMs)));
      tree.put("height_seen", Instant.ofEpochMilli(height.seenAtMs()).toString());
      tree.put("syncing", height.syncing() ? true : null);
    }
    InstanceHealth health = fleet.published();
    if (health != null) {
      tree.put("status", health.status().word());
      tree.put("failures_in_a_row", health.consecutiveFailures());
      if (health.lastError() != null) {
        tree.put("last_error", health.lastError().errorClass().word());
        tree.put("last_error_at", Instant.ofEpochMilli(health.lastErrorAtMs()).toString());
      }
    }
    Map<String, Object> evidence = new LinkedHashMap<>();
    for (String method : new TreeSet<>(routes.measuredMethods())) {
      Evidence measured = routes.evidence(index, method);
      if (measured != null) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("p50_ms", rounded(measured.latencyMs()));
        numbers.put("p95_ms", rounded(measured.p95Ms()));
        numbers.put("success_rate", rounded(measured.successRate()));
        numbers.put("calls", measured.calls());
        numbers.put("confidence", rounded(measured.confidence()));
        numbers.put("updated", Instant.ofEpochMilli(measured.updatedAtMs()).toString());
        evidence.put(method, numbers);
      }
    }
    if (!evidence.isEmpty()) {
      tree.put("evidence", evidence);
    }
    return present(tree);
  }

  private static double rounded(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }

  private static Map<String, Object> present(Map<String, @Nullable Object> tree) {
    Map<String, Object> present = new LinkedHashMap<>();
    tree.forEach(
        (key, value) -> {
          if (value != null) {
            present.put(key, value);
          }
        });
    return present;
  }

  /** The tree as paths and values, in path order. */
  public static SortedMap<String, String> flat(Map<String, Object> tree) {
    SortedMap<String, String> flat = new TreeMap<>();
    flatten("", tree, flat);
    return flat;
  }

  private static void flatten(String path, Object node, Map<String, String> into) {
    if (node instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> flatten(path.isEmpty() ? "" + key : path + "." + key, value, into));
    } else {
      into.put(path, String.valueOf(node));
    }
  }
}
