package dev.lasso.blocksync;

import dev.lasso.engine.process.PartitionShare;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.process.ServiceLoop;
import dev.lasso.engine.query.NodeQuery;
import dev.lasso.engine.settings.UpstreamHttpSettings;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.Upstreams;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.Presence;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.SteadyClock;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the heads of this process's share of the instances: polls them all, and listens to those
 * that push. One event loop owns everything; sightings go to the consumer it was given, on that
 * event loop.
 */
final class HeadWatcher implements Service {
  private static final Logger log = LoggerFactory.getLogger(HeadWatcher.class);
  private static final long TICK_MS = 25;
  private static final long ADOPT_EVERY_MS = 200;

  private final ProcessContext context;
  private final RoutingView view;
  private final PresenceView presence;
  private final WsConnections webSockets;
  private final PartitionShare<ChainId> share;
  private final long timeoutMs;
  private final Consumer<HeadSighting> sightings;
  private final ServiceLoop loop;

  /** Time passes by it as on the wall, but nobody sets it: intervals are reckoned by it. */
  private final InstantSource elapsing = SteadyClock.system();

  private final PollSchedule schedule;
  private final Map<InstanceId, HeadSource> sources = new HashMap<>();
  private RoutingSnapshot seen = RoutingSnapshot.EMPTY;
  private Map<InstanceId, HeadTarget> targets = Map.of();
  private Set<Integer> assigned = Set.of();
  private Set<ChainId> wanted = Set.of();
  private long adoptedMs;
  private @Nullable Upstreams upstreams;
  private long timer = -1;

  /**
   * @param timeoutMs how long each answer of a poll may take
   * @param polls the numbers of polling
   * @param sightings takes sightings; must not block
   */
  HeadWatcher(
      ProcessContext context,
      RoutingView view,
      PresenceView presence,
      WsConnections webSockets,
      PartitionShare<ChainId> share,
      long timeoutMs,
      PollPolicy polls,
      Consumer<HeadSighting> sightings) {
    this.context = context;
    this.view = view;
    this.presence = presence;
    this.webSockets = webSockets;
    this.share = share;
    this.timeoutMs = timeoutMs;
    this.schedule = new PollSchedule(new SplittableRandom(), polls);
    this.sightings = sightings;
    this.loop = new ServiceLoop(context.vertx());
  }

  @Override
  public String name() {
    return "head watcher";
  }

  @Override
  public void start() throws Exception {
    loop.run(
        () -> {
          upstreams =
              new Upstreams(
                  context.vertx(), UpstreamHttpSettings.from(context.settings()), webSockets);
          timer = context.vertx().setPeriodic(TICK_MS, _ -> tick());
        });
  }

  @Override
  public void stop() throws Exception {
    loop.run(
        () -> {
          context.vertx().cancelTimer(timer);
          sources.values().forEach(HeadSource::close);
          sources.clear();
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
      long nowMs = elapsing.millis();
      if (nowMs - adoptedMs >= ADOPT_EVERY_MS) {
        adoptedMs = nowMs;
        adopt(open);
        wanted = wantedHeads(presence.alive(context.clock().millis()));
        sources.values().forEach(source -> source.listen(nowMs));
      }
      for (HeadTarget target : schedule.due(targets.values(), this::covered, nowMs)) {
        poll(target, open);
      }
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("watching heads failed");
    }
  }

  private boolean covered(InstanceId instance) {
    HeadSource source = sources.get(instance);
    return source != null && source.covered(elapsing.millis());
  }

  /** Takes over what changed in profiles, in what is known of instances, and in the share. */
  private void adopt(Upstreams open) {
    RoutingSnapshot snapshot = view.snapshot();
    Set<Integer> partitions = share.assigned();
    if (snapshot == seen && partitions.equals(assigned)) {
      return;
    }
    seen = snapshot;
    assigned = partitions;
    Map<InstanceId, HeadTarget> found = HeadTarget.in(snapshot);
    found.values().removeIf(target -> !share.holds(target.chain()));
    if (found.equals(targets)) {
      return;
    }
    targets = found;
    schedule.keep(found.keySet());
    open.keep(found.keySet());
    Iterator<Map.Entry<InstanceId, HeadSource>> known = sources.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<InstanceId, HeadSource> entry = known.next();
      if (!found.containsKey(entry.getKey())) {
        entry.getValue().close();
        known.remove();
      }
    }
    found.forEach(
        (instance, target) ->
            sources.computeIfAbsent(instance, _ -> newSource(target)).follow(target));
  }

  private HeadSource newSource(HeadTarget target) {
    return new HeadSource(
        context, webSockets, loop.context(), elapsing, timeoutMs, target, sightings);
  }

  private static Set<ChainId> wantedHeads(Collection<Presence> alive) {
    Set<ChainId> chains = new HashSet<>();
    alive.forEach(process -> chains.addAll(process.wantedHeads()));
    return chains;
  }

  private void poll(HeadTarget target, Upstreams open) {
    InstanceId instance = target.instance();
    HeadSource source = sources.get(instance);
    Upstream upstream = open.of(target.upstream(), target.polledOver());
    if (source == null || upstream == null) {
      schedule.ended(instance, true);
      return;
    }
    NodeQuery node = new NodeQuery(upstream, context.clock(), timeoutMs);
    source
        .poll(node, wanted.contains(target.chain()))
        .onComplete(
            finding -> {
              schedule.ended(instance, finding.succeeded() && finding.result());
              if (finding.failed()) {
                log.atError()
                    .setCause(finding.cause())
                    .addKeyValue("instance", instance)
                    .log("poll failed for a reason of our own");
              }
            });
  }
}
