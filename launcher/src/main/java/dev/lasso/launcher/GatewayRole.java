package dev.lasso.launcher;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.gateway.GatewayService;
import dev.lasso.gateway.GatewaySettings;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.Setting;
import java.util.List;
import java.util.stream.Stream;

/** The gateway as a role. */
final class GatewayRole {
  static final List<Setting<?>> SETTINGS =
      Stream.of(GatewaySettings.SETTINGS, EnginePolicy.SETTINGS).flatMap(List::stream).toList();

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
            parts.context().settings().get(ProcessSettings.EVENT_LOOPS));
    parts.http().listensOn(gateway::port);
    return List.of(gateway);
  }
}
