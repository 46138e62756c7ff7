package dev.lasso.subscription;

import dev.lasso.engine.edge.TrustedProxies;
import dev.lasso.routing.event.Presence;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Whom a subscription-service believes who its callers are: the proxies of its settings, and the
 * gateways that tell the fleet of themselves, at the IP address that each advertises; whoever may
 * write to the presence topic is one of us. One that advertises a name must be in the settings. For
 * any thread.
 */
final class TrustedGateways implements Supplier<TrustedProxies> {
  private static final String ROLE = "gateway";

  private final TrustedProxies configured;
  private final Supplier<List<Presence>> alive;
  private volatile Known known;

  /** What was made of these hosts; kept until others are there. */
  private record Known(Set<String> hosts, TrustedProxies proxies) {}

  /**
   * @param configured always believed
   * @param alive who is there now; asked for every caller
   */
  TrustedGateways(TrustedProxies configured, Supplier<List<Presence>> alive) {
    this.configured = configured;
    this.alive = alive;
    this.known = new Known(Set.of(), configured);
  }

  @Override
  public TrustedProxies get() {
    Set<String> hosts = new TreeSet<>();
    for (Presence presence : alive.get()) {
      String address = presence.address();
      if (presence.role().equals(ROLE) && address != null) {
        hosts.add(address.substring(0, Math.max(0, address.lastIndexOf(':'))));
      }
    }
    Known before = known;
    if (before.hosts().equals(hosts)) {
      return before.proxies();
    }
    TrustedProxies now = configured.and(hosts);
    known = new Known(hosts, now);
    return now;
  }
}
