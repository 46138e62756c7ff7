package dev.lasso.simulator;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** What can be done to a TCP connection below HTTP. */
final class Wire {

  private Wire() {}

  /** Ends the connection with a TCP reset: lingering for no time discards what is unsent. */
  static void reset(HttpConnection connection) {
    Channel channel = channel(connection);
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
    ChannelFuture _ = channel.close();
  }

  /** Ends the connection in the middle of whatever is being sent, what is written included. */
  static void cut(HttpConnection connection) {
    Channel channel = channel(connection);
    ChannelFuture _ = channel.close();
  }

  private static Channel channel(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }
}
