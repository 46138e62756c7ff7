package dev.lasso.broker;

import dev.lasso.broker.EmbeddedBroker.StartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * The two listening sockets of a broker, bound before the broker exists and handed to it when it
 * asks. Both ports are known up front, and no other process can take one between choosing and using
 * it.
 *
 * <p>A socket that was handed out is closed by whoever got it. {@link #close} closes those nobody
 * asked for.
 */
final class ListenSockets implements ServerSocketFactory, AutoCloseable {
  static final String HOST = "127.0.0.1";
  static final String BROKER = "BROKER";
  static final String CONTROLLER = "CONTROLLER";
  private static final int BACKLOG = 128;

  private final Map<String, ServerSocketChannel> waiting = new ConcurrentHashMap<>();
  private final int brokerPort;
  private final int controllerPort;

  private ListenSockets(ServerSocketChannel broker, ServerSocketChannel controller) {
    brokerPort = broker.socket().getLocalPort();
    controllerPort = controller.socket().getLocalPort();
    waiting.put(BROKER, broker);
    waiting.put(CONTROLLER, controller);
  }

  /**
   * Binds both sockets.
   *
   * @param port for clients; 0 takes a free one. The controller's is always a free one
   * @throws StartException when the port is taken or forbidden
   */
  static ListenSockets bind(int port) {
    ServerSocketChannel broker = open(port);
    try {
      return new ListenSockets(broker, open(0));
    } catch (RuntimeException e) {
      closeQuietly(broker);
      throw e;
    }
  }

  int brokerPort() {
    return brokerPort;
  }

  int controllerPort() {
    return controllerPort;
  }

  @Override
  public ServerSocketChannel openServerSocket(
      String listenerName, InetSocketAddress address, int backlog, int receiveBufferBytes)
      throws IOException {
    ServerSocketChannel socket = waiting.remove(listenerName);
    if (socket == null) {
      throw new IOException("no socket was bound for listener " + listenerName);
    }
    return socket;
  }

  @Override
  public void close() {
    waiting.values().forEach(ListenSockets::closeQuietly);
    waiting.clear();
  }

  private static ServerSocketChannel open(int port) {
    ServerSocketChannel socket;
    try {
      socket = ServerSocketChannel.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      socket.configureBlocking(false);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
      return socket;
    } catch (BindException e) {
      closeQuietly(socket);
      throw new StartException(
          "the Kafka port " + HOST + ":" + port + " can't be used: " + e.getMessage(), e);
    } catch (IOException e) {
      closeQuietly(socket);
      throw new StartException(
          "no listening socket for Kafka on " + HOST + ":" + port + ": " + e.getMessage(), e);
    }
  }

  private static void closeQuietly(ServerSocketChannel socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // a socket that nobody used; the process loses nothing
    }
  }
}
