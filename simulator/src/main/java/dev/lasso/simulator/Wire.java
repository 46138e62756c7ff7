package dev.lasso.simulator;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * What can be done to a TCP connection below HTTP and WebSocket: both ways to end it skip Vert.x,
 * which would say goodbye politely.
 */
final class Wire {

  private Wire() {}

  /** Ends the connection with a TCP reset: lingering for no time discards what is unsent. */
  static void reset(HttpConnection connection) {
    channel(connection).config().setOption(ChannelOption.SO_LINGER, 0);
    cut(connection);
  }

  /** Ends the connection at once, in the middle of whatever is being sent. */
  static void cut(HttpConnection connection) {
    ChannelFuture _ = channel(connection).pipeline().firstContext().close();
  }

  /** Runs an action when the connection has ended, however it did. */
  static void whenClosed(HttpConnection connection, Runnable action) {
    ChannelFuture _ = channel(connection).closeFuture().addListener(_ -> action.run());
  }

  private static Channel channel(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }
}
