package dev.lasso.launcher;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.select.SelectionPolicy;

/**
 * What the roles of one process share.
 *
 * @param context the process
 * @param view its routing view
 * @param presence who else is there
 * @param engine what its request paths share
 * @param http what it serves over HTTP
 */
record ProcessParts(
    ProcessContext context,
    RoutingView view,
    PresenceView presence,
    EngineParts engine,
    HttpSide http) {
  /**
   * What every request path of the process shares.
   *
   * @param local its own circuits, rate limits and load
   * @param webSockets its connections to providers
   * @param observer told what happens
   * @param selection the numbers of selection
   */
  record EngineParts(
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      SelectionPolicy selection) {}
}
