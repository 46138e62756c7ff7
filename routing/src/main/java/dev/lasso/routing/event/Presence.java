package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Region;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process's heartbeat. Topic {@code presence}.
 *
 * @param region where it runs
 * @param role gateway, health, blocksync, benchmark or subscription
 * @param process the process, unique in the fleet
 * @param version the Lasso version it runs
 * @param startedAtMs when it started
 * @param atMs when this heartbeat was made
 * @param stopping whether it is draining
 * @param address host:port of its HTTP side, or null when it has none
 * @param assignment what it works on: topic partitions or instance ids, readable
 * @param wantedLogs chains whose logs it needs
 * @param wantedHeads chains whose heads it needs with headers
 * @param lag records behind, by topic
 * @param condition ready, degraded or not_ready; empty when it does not tell
 * @param reasons why it is not ready or degraded
 */
public record Presence(
    Region region,
    String role,
    String process,
    String version,
    long startedAtMs,
    long atMs,
    boolean stopping,
    @Nullable String address,
    List<String> assignment,
    List<ChainId> wantedLogs,
    List<ChainId> wantedHeads,
    Map<String, Long> lag,
    String condition,
    List<String> reasons) {
  public Presence {
    assignment = List.copyOf(assignment);
    wantedLogs = List.copyOf(wantedLogs);
    wantedHeads = List.copyOf(wantedHeads);
    lag = Map.copyOf(lag);
    reasons = List.copyOf(reasons);
  }
}
