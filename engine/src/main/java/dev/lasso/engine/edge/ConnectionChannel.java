package dev.lasso.engine.edge;

import io.netty.channel.Channel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * The Netty channel below a client's connection, for what Vert.x does not offer. Its close future
 * is told of every end; the close handler of the connection is not, once it is a WebSocket.
 */
public final class ConnectionChannel {
  private ConnectionChannel() {}

  /** The channel; it belongs to the connection's event loop. */
  public static Channel of(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }
}
