package dev.lasso.launcher;

import dev.lasso.gateway.GatewayService;
import dev.lasso.runtime.Service;
import java.util.List;

/** The gateway as a role. */
final class GatewayRole {
  private GatewayRole() {}

  static List<Service> assemble(ProcessParts parts) {
    GatewayService gateway =
        GatewayService.assemble(
            parts.context(),
            parts.view(),
            parts.presence(),
            parts.engine().local(),
            parts.engine().webSockets(),
            parts.engine().observer(),
            parts.engine().selection(),
            parts.http().askedPort(),
            ProcessSettings.eventLoops(parts.context().settings()));
    parts.http().listensOn(gateway::port);
    return List.of(gateway);
  }
}
