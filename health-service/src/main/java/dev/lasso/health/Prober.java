package dev.lasso.health;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.process.ServiceLoop;
import dev.lasso.engine.query.NodeQuery;
import dev.lasso.engine.settings.UpstreamHttpSettings;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.Upstreams;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsUpstream;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.SteadyClock;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.schemas.EndpointKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes this process's share of the endpoints, some with each tick. One event loop owns schedule
 * and connections; results go to the consumer it was given, on that event loop.
 */
final class Prober implements Service {
  private static final Logger log = LoggerFactory.getLogger(Prober.class);
  private static final long CONNECT_POLL_MS = 50;

  private final ProcessContext context;
  private final RoutingView view;
  private final WsConnections webSockets;
  private final Share share;
  private final long tickMs;
  private final long timeoutMs;
  private final Consumer<ProbeResult> results;
  private final ServiceLoop loop;

  /** Time passes by it as on the wall, but nobody sets it: intervals are reckoned by it. */
  private final InstantSource elapsing = SteadyClock.system();

  private final ProbeSchedule schedule;
  private RoutingSnapshot seen = RoutingSnapshot.EMPTY;
  private Map<Endpoint, ProbeTarget> targets = Map.of();
  private @Nullable Upstreams upstreams;
  private long timer = -1;

  /**
   * @param results takes results; must not block
   */
  Prober(
      ProcessContext context,
      RoutingView view,
      WsConnections webSockets,
      Share share,
      Consumer<ProbeResult> results) {
    this.context = context;
    this.view = view;
    this.webSockets = webSockets;
    this.share = share;
    Settings settings = context.settings();
    this.tickMs = settings.get(HealthSettings.TICK).toMillis();
    this.timeoutMs = settings.get(HealthSettings.TIMEOUT).toMillis();
    this.schedule =
        new ProbeSchedule(
            new SplittableRandom(), settings.get(HealthSettings.RECOVERING_INTERVAL).toMillis());
    this.results = results;
    this.loop = new ServiceLoop(context.vertx());
  }

  @Override
  public String name() {
    return "prober";
  }

  @Override
  public void start() throws Exception {
    loop.run(
        () -> {
          upstreams =
              new Upstreams(vertx(), UpstreamHttpSettings.from(context.settings()), webSockets);
          timer = vertx().setPeriodic(tickMs, _ -> tick());
        });
  }

  @Override
  public void stop() throws Exception {
    loop.run(
        () -> {
          vertx().cancelTimer(timer);
          if (upstreams != null) {
            upstreams.close();
            upstreams = null;
          }
        });
  }

  private void tick() {
    Upstreams open = upstreams;
    if (open == null) {
      return;
    }
    try {
      adopt(view.snapshot(), open);
      long nowMs = elapsing.millis();
      schedule
          .due(
              targets.values().stream().filter(one -> share.holds(key(one.endpoint()))).toList(),
              endpoint -> share.closed(key(endpoint)),
              nowMs,
              tickMs)
          .forEach(target -> probe(target, open));
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("probing failed");
    }
  }

  private void adopt(RoutingSnapshot snapshot, Upstreams open) {
    if (snapshot == seen) {
      return;
    }
    seen = snapshot;
    Map<Endpoint, ProbeTarget> found = ProbeTarget.in(snapshot);
    if (found.keySet().equals(targets.keySet())) {
      targets = found;
      return;
    }
    targets = found;
    schedule.keep(found.keySet());
    Set<InstanceId> instances = new HashSet<>();
    found.keySet().forEach(endpoint -> instances.add(endpoint.instance()));
    open.keep(instances);
  }

  private void probe(ProbeTarget target, Upstreams open) {
    long beganNs = System.nanoTime();
    Upstream upstream = open.of(target.upstream(), target.endpoint().transport());
    if (upstream == null) {
      schedule.ended(target, true, elapsing.millis());
      return;
    }
    connected(target, upstream)
        .compose(
            connected ->
                connected
                    ? new Probe(new NodeQuery(upstream, context.clock(), timeoutMs), target).run()
                    : Future.succeededFuture(notConnected()))
        .onComplete(
            finding -> {
              if (finding.succeeded()) {
                ended(target, finding.result(), beganNs);
              } else {
                schedule.ended(target, false, elapsing.millis());
                log.atError()
                    .setCause(finding.cause())
                    .addKeyValue("instance", target.endpoint().instance())
                    .log("probe failed for a reason of our own");
              }
            });
  }

  /** Whether there is a connection to ask over; a WebSocket is given time to connect. */
  private Future<Boolean> connected(ProbeTarget target, Upstream upstream) {
    if (target.endpoint().transport() != Transport.WS
        || !(upstream instanceof WsUpstream webSocket)) {
      return Future.succeededFuture(true);
    }
    Promise<Boolean> promise = Promise.promise();
    awaitConnection(webSocket, elapsing.millis() + timeoutMs, promise);
    return promise.future();
  }

  private void awaitConnection(WsUpstream webSocket, long untilMs, Promise<Boolean> promise) {
    if (webSocket.connected()) {
      promise.complete(true);
    } else if (elapsing.millis() >= untilMs) {
      promise.complete(false);
    } else {
      vertx().setTimer(CONNECT_POLL_MS, _ -> awaitConnection(webSocket, untilMs, promise));
    }
  }

  private static Probe.Finding notConnected() {
    AttemptOutcome outcome =
        NodeQuery.failed(ErrorClass.NETWORK_ERROR, "WebSocket does not connect").failure();
    return Probe.Finding.failed(outcome, null);
  }

  private void ended(ProbeTarget target, Probe.Finding finding, long beganNs) {
    schedule.ended(target, finding.outcome().succeeded(), elapsing.millis());
    results.accept(
        new ProbeResult(
            context.region(),
            context.id().process(),
            target.chain(),
            target.endpoint(),
            context.clock().millis(),
            (double) (System.nanoTime() - beganNs) / 1e6,
            finding.outcome(),
            finding.chainIdSeen(),
            finding.heightSeen(),
            finding.syncing()));
  }

  private EndpointKey key(Endpoint endpoint) {
    return new EndpointKey(context.region(), endpoint);
  }

  private Vertx vertx() {
    return context.vertx();
  }
}
