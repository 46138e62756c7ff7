package dev.lasso.gateway;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.routing.event.Presence;
import dev.lasso.runtime.Condition;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;

/**
 * Which processes there are, what each works on and how far behind it is, as JSON: the last
 * heartbeats that this gateway has read. Callable from any thread; asks Kafka nothing.
 */
final class TopologyPage {
  private static final Comparator<Presence> ORDER =
      Comparator.comparing((Presence process) -> process.region().value())
          .thenComparing(Presence::role)
          .thenComparing(Presence::process);

  private final ProcessContext context;
  private final PresenceView presence;

  TopologyPage(ProcessContext context, PresenceView presence) {
    this.context = context;
    this.presence = presence;
  }

  JsonObject page() {
    long nowMs = context.clock().millis();
    List<Presence> alive = presence.alive(nowMs).stream().sorted(ORDER).toList();
    JsonArray processes = new JsonArray();
    alive.forEach(process -> processes.add(process(process, nowMs)));
    return new JsonObject()
        .put("asked", context.id().process())
        .put("kafka", kafka(presence.condition()))
        .put("processes", processes);
  }

  private static JsonObject kafka(Condition condition) {
    return switch (condition) {
      case Condition.Ready _ -> new JsonObject().put("status", "connected");
      case Condition.Degraded(String reason) ->
          new JsonObject().put("status", "away").put("reason", reason);
      case Condition.NotReady(String reason) ->
          new JsonObject().put("status", "unknown").put("reason", reason);
    };
  }

  private static JsonObject process(Presence process, long nowMs) {
    JsonObject lag = new JsonObject();
    process.lag().entrySet().stream()
        .sorted(java.util.Map.Entry.comparingByKey())
        .forEach(topic -> lag.put(topic.getKey(), topic.getValue()));
    return new JsonObject()
        .put("role", process.role())
        .put("process", process.process())
        .put("region", process.region().value())
        .put("version", process.version())
        .put("address", process.address())
        .put("started_at_ms", process.startedAtMs())
        .put("seen_ms_ago", Math.max(0, nowMs - process.atMs()))
        .put("stopping", process.stopping())
        .put("status", process.condition())
        .put("reasons", new JsonArray(process.reasons()))
        .put("assignment", new JsonArray(process.assignment()))
        .put("lag", lag);
  }
}
