package dev.lasso.subscription;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.pipeline.RpcEngine;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.AttemptSettings;
import dev.lasso.engine.settings.UpstreamHttpSettings;
import dev.lasso.engine.upstream.Upstreams;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.runtime.Service;
import io.vertx.core.Context;
import io.vertx.core.internal.VertxInternal;
import java.util.Set;
import java.util.stream.Collectors;

/** The event loop on which the process reads blocks and logs, with connections of its own. */
final class ReaderLoop implements Service {
  private final RoutingView view;
  private final Context loop;
  private final Upstreams upstreams;
  private final ChainReader reader;

  ReaderLoop(
      ProcessContext context,
      RoutingView view,
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      SelectionPolicy selection,
      StreamSettings settings) {
    this.view = view;
    this.loop = ((VertxInternal) context.vertx()).createEventLoopContext();
    this.upstreams =
        new Upstreams(context.vertx(), UpstreamHttpSettings.from(context.settings()), webSockets);
    this.reader =
        new ChainReader(
            loop,
            new RpcEngine(
                context,
                upstreams,
                local,
                observer,
                AttemptSettings.from(context.settings()),
                selection),
            view,
            settings,
            context.clock());
  }

  ChainReader reader() {
    return reader;
  }

  @Override
  public String name() {
    return "chain reader";
  }

  @Override
  public void start() {
    view.onChange(snapshot -> loop.runOnContext(_ -> upstreams.keep(instances(snapshot))));
  }

  @Override
  public void stop() {
    loop.runOnContext(_ -> upstreams.close());
  }

  private static Set<InstanceId> instances(RoutingSnapshot snapshot) {
    return snapshot.profiles().stream()
        .flatMap(profile -> profile.chains().stream())
        .map(ActiveChain::routes)
        .flatMap(routes -> routes.channels().stream())
        .map(row -> row.channel().instance())
        .collect(Collectors.toSet());
  }
}
