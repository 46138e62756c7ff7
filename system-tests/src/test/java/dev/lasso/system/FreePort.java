package dev.lasso.system;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that a test must know before the process that listens there is started. Any thread. */
public final class FreePort {
  /** Below those that systems give to outgoing connections. */
  private static final int FROM = 12_000;

  private static final int TO = 32_000;
  private static final Set<Integer> given = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /**
   * A port that was free a moment ago, that no outgoing connection gets while nobody listens there,
   * and that no other test of this JVM is given.
   */
  public static int next() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FROM, TO);
      try (ServerSocket socket = new ServerSocket(port)) {
        if (given.add(port)) {
          return socket.getLocalPort();
        }
      } catch (IOException _) {
        // taken
      }
    }
  }
}
