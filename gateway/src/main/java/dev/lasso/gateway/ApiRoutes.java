package dev.lasso.gateway;

import dev.lasso.engine.edge.RpcPath;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.view.SnapshotSource;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.runtime.Readiness;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people and dashboards ask a gateway: {@code /api/health}, {@code /api/topology}, {@code
 * /api/chains}, {@code /api/providers/:chain}, {@code /api/metrics/:chain}; the last three take
 * {@code ?profile=} (default {@code default}). Answers come from the snapshot in memory, on the
 * request's event loop.
 */
final class ApiRoutes {
  private static final String PREFIX = "/api/";
  private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  private final ProcessContext context;
  private final SnapshotSource snapshots;
  private final ProviderPages pages;
  private final TopologyPage topology;

  ApiRoutes(
      ProcessContext context,
      SnapshotSource snapshots,
      ProviderPages pages,
      TopologyPage topology) {
    this.context = context;
    this.snapshots = snapshots;
    this.pages = pages;
    this.topology = topology;
  }

  /** Answers the request if its path begins with {@code /api/}; false when it does not. */
  boolean handle(HttpServerRequest request) {
    String path = request.path();
    if (path == null || !path.startsWith(PREFIX)) {
      return false;
    }
    if (!READING.contains(request.method())) {
      request.response().putHeader("Allow", "GET, HEAD");
      HttpAnswers.json(request, 405, error("method must be GET"));
      return true;
    }
    String[] parts = path.substring(PREFIX.length()).split("/", -1);
    if (parts.length == 1 && parts[0].equals("health")) {
      HttpAnswers.json(request, 200, health());
    } else if (parts.length == 1 && parts[0].equals("topology")) {
      HttpAnswers.json(request, 200, topology.page());
    } else if (parts.length == 1 && parts[0].equals("chains")) {
      withProfile(request, profile -> HttpAnswers.json(request, 200, chains(profile)));
    } else if (parts.length == 2 && parts[0].equals("providers")) {
      withChain(request, parts[1], (profile, chain) -> pages.providers(profile, chain));
    } else if (parts.length == 2 && parts[0].equals("metrics")) {
      withChain(request, parts[1], (profile, chain) -> pages.metrics(profile, chain));
    } else {
      HttpAnswers.json(
          request,
          404,
          error(
              "no such page; there are /api/health, /api/topology, /api/chains,"
                  + " /api/providers/:chain and /api/metrics/:chain"));
    }
    return true;
  }

  private interface ChainPage {
    JsonObject of(ActiveProfile profile, ActiveChain chain);
  }

  private interface ProfilePage {
    void of(ActiveProfile profile);
  }

  private void withProfile(HttpServerRequest request, ProfilePage page) {
    String asked = request.getParam("profile");
    String slug = asked == null ? RpcPath.DEFAULT_PROFILE : asked;
    ActiveProfile profile = snapshots.snapshot().profile(slug);
    if (profile == null) {
      HttpAnswers.json(request, 404, error("no profile '" + slug + "'"));
    } else {
      page.of(profile);
    }
  }

  private void withChain(HttpServerRequest request, String word, ChainPage page) {
    withProfile(
        request,
        profile -> {
          ActiveChain chain = profile.chain(word);
          if (chain == null) {
            HttpAnswers.json(
                request,
                404,
                error("no chain '" + word + "' in profile '" + profile.profile().slug() + "'"));
          } else {
            HttpAnswers.json(request, 200, page.of(profile, chain));
          }
        });
  }

  private static JsonObject error(String message) {
    return new JsonObject().put("error", message);
  }

  private JsonObject health() {
    Readiness.Report report = context.readiness().report();
    return report
        .toJson()
        .put("version", context.id().version())
        .put("region", context.id().region())
        .put("process", context.id().process())
        .put("uptime_ms", context.clock().millis() - context.id().startedAt().toEpochMilli())
        .put("profiles", snapshots.snapshot().profiles().size())
        .put("snapshot", snapshots.snapshot().position().toString());
  }

  private JsonObject chains(ActiveProfile profile) {
    JsonArray chains = new JsonArray();
    for (ActiveChain chain : profile.chains()) {
      chains.add(chain(chain));
    }
    return new JsonObject().put("profile", profile.profile().slug().value()).put("chains", chains);
  }

  private JsonObject chain(ActiveChain chain) {
    JsonArray aliases = new JsonArray();
    chain.settings().aliases().forEach(alias -> aliases.add(alias.value()));
    return new JsonObject()
        .put("name", chain.settings().key().value())
        .put("display_name", chain.settings().name())
        .put("chain_id", chain.settings().chainId().value())
        .put("aliases", aliases)
        .put("consensus_height", chain.routes().consensusHeight())
        .put("safe_height", height(chain, true))
        .put("finalized_height", height(chain, false))
        .put("block_time_ms", chain.routes().blockTimeMs())
        .put("providers", chain.settings().providers().size())
        .put("available", pages.available(chain));
  }

  private static @Nullable Long height(ActiveChain chain, boolean safe) {
    var state = chain.state();
    return state == null ? null : safe ? state.safe() : state.finalized();
  }
}
