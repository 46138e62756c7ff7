package dev.lasso.gateway;

import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.runtime.SharedAddress;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The gateway's HTTP servers, one on each event loop, all on one port. Tells them when profiles
 * change, so that connections to providers that nobody names any more end once they are idle.
 * Started and stopped by one thread; changes come on the thread that makes snapshots.
 */
final class GatewayServers {
  private static final long DEPLOY_MS = 50_000;

  private final GatewayServer.Parts parts;

  private final Vertx vertx;
  private final List<GatewayServer> servers = new ArrayList<>();
  private final List<String> deployments = new ArrayList<>();

  /** The profiles that connections were last compared with. Owned by the snapshots' thread. */
  private Set<Profile> compared = Set.of();

  GatewayServers(GatewayServer.Parts parts) {
    this.parts = parts;
    this.vertx = parts.context().vertx();
  }

  /**
   * Starts listening.
   *
   * @param askedPort 0 takes a free one
   * @param eventLoops how many servers
   * @return the port
   */
  int start(int askedPort, int eventLoops) throws Exception {
    SocketAddress address = SharedAddress.of(askedPort, parts.settings().host());
    parts.context().readiness().add("gateway", parts.farewell()::condition);
    for (int i = 0; i < eventLoops; i++) {
      GatewayServer server = new GatewayServer(parts, address);
      deployments.add(
          await(
              vertx.deployVerticle(
                  server, new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP)),
              DEPLOY_MS));
      servers.add(server);
    }
    parts.snapshots().onChange(this::changed);
    return servers.getFirst().actualPort();
  }

  /**
   * Says that it goes, then refuses new connections and lets running requests end, within the drain
   * time.
   */
  void stop() throws Exception {
    parts.farewell().say(parts.settings().farewell());
    List<Future<Void>> stops = deployments.stream().map(vertx::undeploy).toList();
    await(Future.join(stops), parts.settings().drain().toMillis() + 1_000);
  }

  private void changed(RoutingSnapshot snapshot) {
    Set<Profile> profiles = Collections.newSetFromMap(new IdentityHashMap<>());
    snapshot.profiles().forEach(profile -> profiles.add(profile.profile()));
    // snapshots change many times a second, profiles do not
    if (!profiles.equals(compared)) {
      compared = profiles;
      Set<Endpoint> endpoints = endpoints(snapshot);
      Set<InstanceId> instances =
          endpoints.stream().map(Endpoint::instance).collect(Collectors.toUnmodifiableSet());
      parts.local().keep(endpoints);
      servers.forEach(server -> server.keep(instances));
    }
  }

  private static Set<Endpoint> endpoints(RoutingSnapshot snapshot) {
    Set<Endpoint> endpoints = new HashSet<>();
    for (ActiveProfile profile : snapshot.profiles()) {
      profile.chains().stream()
          .flatMap(chain -> chain.routes().channels().stream())
          .map(ChannelRow::endpoint)
          .forEach(endpoints::add);
    }
    return endpoints;
  }

  private static <T> T await(Future<T> future, long atMostMs) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(atMostMs, TimeUnit.MILLISECONDS);
  }
}
