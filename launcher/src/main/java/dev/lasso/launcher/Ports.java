package dev.lasso.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Looks at ports before anything heavy is started, so that a taken one is told at once. */
final class Ports {
  private Ports() {}

  /**
   * Fails when a port can't be listened on; port 0 always can.
   *
   * @param what names the port for the message
   * @throws CommandFailed naming the port and the reason
   */
  static void requireFree(String what, int port) {
    if (port < 0 || port > 65_535) {
      throw new CommandFailed(what + " must be 0 to 65535, was " + port);
    }
    if (port == 0) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
    } catch (IOException e) {
      throw new CommandFailed(
          what
              + " "
              + port
              + " can't be used: "
              + e.getMessage()
              + " (another one may be given, 0 takes a free one)",
          e);
    }
  }
}
