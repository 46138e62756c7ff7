package dev.lasso.launcher;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.subscription.EdgeSettings;
import dev.lasso.subscription.SubscriptionService;
import java.util.List;
import java.util.stream.Stream;

/** The subscription service as a role. */
final class SubscriptionRole {
  static final List<Setting<?>> SETTINGS =
      Stream.of(EdgeSettings.SETTINGS, EnginePolicy.SETTINGS).flatMap(List::stream).toList();

  private SubscriptionRole() {}

  /** Alone in a process it listens on the process's port; beside a gateway on one of its own. */
  static List<Service> assemble(ProcessParts parts) {
    boolean alone = parts.context().id().role().equals("subscription");
    SubscriptionService subscription =
        SubscriptionService.assemble(
            parts.context(),
            parts.view(),
            parts.presence(),
            parts.engine().local(),
            parts.engine().webSockets(),
            parts.engine().observer(),
            parts.engine().selection(),
            alone ? parts.http().askedPort() : 0,
            parts.context().settings().get(ProcessSettings.EVENT_LOOPS));
    if (alone) {
      parts.http().listensOn(subscription::port);
    }
    return List.of(subscription);
  }
}
