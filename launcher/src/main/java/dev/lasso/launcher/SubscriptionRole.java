package dev.lasso.launcher;

import dev.lasso.runtime.Service;
import dev.lasso.subscription.SubscriptionService;
import java.util.List;

/** The subscription service as a role. */
final class SubscriptionRole {
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
            ProcessSettings.eventLoops(parts.context().settings()));
    if (alone) {
      parts.http().listensOn(subscription::port);
    }
    return List.of(subscription);
  }
}
