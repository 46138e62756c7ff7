package dev.lasso.runtime;

import io.vertx.core.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Addresses that all servers of one kind listen on, one server for each event loop. Vert.x shares a
 * free port among those that ask for it under one number; servers that ask for port 0 get one each.
 * Thread-safe.
 */
public final class SharedAddress {
  private static final AtomicInteger FREE_PORTS = new AtomicInteger();

  private SharedAddress() {}

  /**
   * An address for several servers.
   *
   * @param askedPort 0 for a free port, another with each call
   */
  public static SocketAddress of(int askedPort, String host) {
    return askedPort == 0
        ? SocketAddress.sharedRandomPort(FREE_PORTS.incrementAndGet(), host)
        : SocketAddress.inetSocketAddress(askedPort, host);
  }
}
