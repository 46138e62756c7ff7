package dev.lasso.gateway;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.routing.select.ChainRoutes;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Evidence;
import dev.lasso.routing.select.Height;
import dev.lasso.routing.select.LocalEndpoint;
import dev.lasso.routing.select.LocalView;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.SelectionRequest;
import dev.lasso.routing.select.Selector;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the providers of a chain, as JSON for pages: what routing would do with each now
 * and why. Providers are named by id and instance, never by URL. Callable from any thread.
 */
final class ProviderPages {
  private static final SelectionRequest ANYTHING =
      SelectionRequest.of("eth_blockNumber", "head", StrategyName.PRIORITY);

  private final LocalView local;
  private final SelectionPolicy policy;
  private final InstantSource clock;

  ProviderPages(LocalView local, SelectionPolicy policy, InstantSource clock) {
    this.local = local;
    this.policy = policy;
    this.clock = clock;
  }

  /** How many providers a plain request could use now. */
  long available(ActiveChain chain) {
    return plan(chain.routes()).channels().stream()
        .map(row -> row.channel().provider())
        .distinct()
        .count();
  }

  JsonObject providers(ActiveProfile profile, ActiveChain chain) {
    long nowMs = clock.millis();
    List<Plan.Rejection> rejections = plan(chain.routes()).rejections();
    JsonArray providers = new JsonArray();
    for (Provider provider : chain.settings().providers()) {
      providers.add(provider(provider, chain, rejections, nowMs));
    }
    return head(profile, chain).put("providers", providers);
  }

  JsonObject metrics(ActiveProfile profile, ActiveChain chain) {
    ChainRoutes routes = chain.routes();
    JsonObject methods = new JsonObject();
    for (String method : new TreeSet<>(routes.measuredMethods())) {
      JsonArray rows = new JsonArray();
      List<ChannelRow> channels = routes.channels();
      for (int i = 0; i < channels.size(); i++) {
        Evidence row = routes.evidence(i, method);
        if (row != null) {
          rows.add(
              evidence(row)
                  .put("provider", channels.get(i).channel().provider().value())
                  .put("transport", channels.get(i).channel().transport().word()));
        }
      }
      methods.put(method, rows);
    }
    return head(profile, chain).put("methods", methods);
  }

  private static JsonObject head(ActiveProfile profile, ActiveChain chain) {
    return new JsonObject()
        .put("profile", profile.profile().slug().value())
        .put("chain", chain.settings().key().value())
        .put("chain_id", chain.settings().chainId().value())
        .put("consensus_height", chain.routes().consensusHeight())
        .put("block_time_ms", chain.routes().blockTimeMs());
  }

  private Plan plan(ChainRoutes routes) {
    return new Selector(policy).select(routes, ANYTHING, local, clock.millis(), 0);
  }

  private JsonObject provider(
      Provider provider, ActiveChain chain, List<Plan.Rejection> rejections, long nowMs) {
    JsonObject page =
        new JsonObject()
            .put("id", provider.id().value())
            .put("name", provider.name())
            .put("priority", provider.priority())
            .put("archival", provider.archival());
    JsonObject transports = new JsonObject();
    for (ChannelRow row : chain.routes().channels()) {
      if (row.channel().provider().equals(provider.id())) {
        page.put("instance", row.channel().instance().value());
        height(page, chain.routes(), row, nowMs);
        transports.put(row.channel().transport().word(), transport(row, rejections, nowMs));
      }
    }
    for (Resolution.Unusable unusable : chain.unusable()) {
      if (unusable.provider().equals(provider.id())) {
        page.put("unusable", unusable.reason());
      }
    }
    return page.put("transports", transports);
  }

  private static void height(JsonObject page, ChainRoutes routes, ChannelRow row, long nowMs) {
    Height height = row.height();
    if (height != null) {
      page.put("height", height.number())
          .put("height_seen_at_ms", height.seenAtMs())
          .put("syncing", height.syncing())
          .put("lag_blocks", Math.max(0, routes.lagBlocks(row, nowMs)));
    }
  }

  private JsonObject transport(ChannelRow row, List<Plan.Rejection> rejections, long nowMs) {
    LocalEndpoint here = local.endpoint(row.endpoint());
    CircuitStatus fleet = row.fleet().circuitAt(nowMs);
    InstanceHealth health = row.fleet().published();
    long limitedUntilMs = Math.max(row.fleet().rateLimitedUntilMs(), here.rateLimitedUntilMs());
    JsonObject page =
        new JsonObject()
            .put("status", (health == null ? HealthStatus.UNKNOWN : health.status()).word())
            .put("circuit", fleet.worse(here.circuitAt(nowMs)).word())
            .put("fleet_circuit", fleet.word())
            .put("local_circuit", here.circuitAt(nowMs).word())
            .put("rate_limited_for_ms", Math.max(0, limitedUntilMs - nowMs))
            .put("in_flight", here.inFlight());
    for (Plan.Rejection rejection : rejections) {
      if (rejection.channel().channel().equals(row.channel())) {
        RejectionReason reason = rejection.reason();
        page.put("rejected", reason.name()).put("rejected_because", rejection.detail());
      }
    }
    if (health != null) {
      health(page, health, nowMs);
    }
    return page;
  }

  private static void health(JsonObject page, InstanceHealth health, long nowMs) {
    page.put("consecutive_failures", health.consecutiveFailures())
        .put("consecutive_successes", health.consecutiveSuccesses())
        .put("last_probe_at_ms", health.lastProbeAtMs());
    @Nullable Long wrongChainId = health.chainIdSeen();
    if (wrongChainId != null) {
      page.put("wrong_chain_id", wrongChainId);
    }
    AttemptOutcome.@Nullable Failure last = health.lastError();
    if (last != null) {
      page.put(
          "last_error",
          new JsonObject()
              .put("class", last.errorClass().word())
              .put("message", last.message())
              .put("at_ms", health.lastErrorAtMs()));
    }
    JsonArray learned = new JsonArray();
    for (LearnedLimit limit : health.learned()) {
      if (limit.untilMs() > nowMs) {
        learned.add(
            new JsonObject()
                .put("method", limit.method())
                .put("max_block_range", limit.methodUnsupported() ? null : limit.maxBlockRange())
                .put("until_ms", limit.untilMs()));
      }
    }
    page.put("learned_limits", learned);
  }

  private static JsonObject evidence(Evidence row) {
    return new JsonObject()
        .put("p50_ms", row.latencyMs())
        .put("p95_ms", row.p95Ms())
        .put("success_rate", row.successRate())
        .put("calls", row.calls())
        .put("confidence", row.confidence())
        .put("updated_at_ms", row.updatedAtMs());
  }
}
