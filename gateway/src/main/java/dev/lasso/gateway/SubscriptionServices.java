package dev.lasso.gateway;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.routing.event.Presence;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Where this region's subscription-services are at the moment. For any thread. */
final class SubscriptionServices {
  private static final String ROLE = "subscription";

  private final ProcessContext context;
  private final PresenceView presence;

  SubscriptionServices(ProcessContext context, PresenceView presence) {
    this.context = context;
    this.presence = presence;
  }

  /** Each {@code host:port}. */
  private List<String> addresses() {
    return presence.serving(ROLE, context.clock().millis()).stream()
        .map(Presence::address)
        .filter(address -> address != null && !address.isBlank())
        .toList();
  }

  /** All in an order by chance. */
  List<SocketAddress> inAnyOrder() {
    List<String> addresses = new ArrayList<>(addresses());
    Collections.shuffle(addresses, ThreadLocalRandom.current());
    return addresses.stream().map(SubscriptionServices::address).toList();
  }

  /**
   * All in an order that depends on the filter alone, so that every gateway begins with the same
   * one and few filters move when one comes or goes (rendezvous hashing).
   *
   * @param filter its id; null when it is yet to be made, which any of them may do
   */
  List<SocketAddress> inOrderFor(@Nullable String filter) {
    if (filter == null) {
      return inAnyOrder();
    }
    return addresses().stream()
        .sorted(Comparator.comparingLong(address -> weight(filter, address)))
        .map(SubscriptionServices::address)
        .toList();
  }

  private static long weight(String name, String address) {
    long mixed = name.hashCode() * 0x9E3779B97F4A7C15L + address.hashCode();
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  private static SocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return SocketAddress.inetSocketAddress(
        Integer.parseInt(text, colon + 1, text.length(), 10), text.substring(0, colon));
  }
}
