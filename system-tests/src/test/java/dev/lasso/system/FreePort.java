package dev.lasso.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/** Ports that a test must know before the process that listens there is started. */
final class FreePort {
  private FreePort() {}

  /** A port that was free a moment ago. */
  static int next() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
