package dev.lasso.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that a test must know before the process that listens there is started. */
public final class FreePort {
  /** Below those that systems give to outgoing connections. */
  private static final int LASTING_FROM = 12_000;

  private static final int LASTING_TO = 32_000;

  private FreePort() {}

  /** A port that was free a moment ago. */
  static int next() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A port that was free a moment ago and that no outgoing connection gets while nobody listens
   * there: for a process that another one takes the place of.
   */
  public static int lasting() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LASTING_FROM, LASTING_TO);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException _) {
        // taken
      }
    }
  }
}
