package dev.lasso.broker;

import dev.lasso.broker.EmbeddedBroker.StartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * The listening sockets of a broker, bound before the broker exists and handed to it when it asks.
 * All ports are known up front, and no other process can take one between choosing and using it.
 *
 * <p>A socket that was handed out is closed by whoever got it. {@link #close} closes those nobody
 * asked for.
 */
final class ListenSockets implements ServerSocketFactory, AutoCloseable {
  static final String HOST = "127.0.0.1";
  static final String BROKER = "BROKER";
  static final String CONTROLLER = "CONTROLLER";
  static final String SECURE = "SECURE";
  private static final int BACKLOG = 128;

  private final Map<String, ServerSocketChannel> waiting = new ConcurrentHashMap<>();
  private final int brokerPort;
  private final int controllerPort;
  private final int securePort;

  private ListenSockets(Map<String, ServerSocketChannel> bound) {
    waiting.putAll(bound);
    brokerPort = port(bound, BROKER);
    controllerPort = port(bound, CONTROLLER);
    securePort = port(bound, SECURE);
  }

  /**
   * Binds the sockets.
   *
   * @param ports for each listener; 0 takes a free one
   * @throws StartException when a port is taken or forbidden; nothing is bound then
   */
  static ListenSockets bind(Map<String, Integer> ports) {
    Map<String, ServerSocketChannel> bound = new HashMap<>();
    try {
      ports.forEach((listener, port) -> bound.put(listener, open(port)));
      return new ListenSockets(bound);
    } catch (RuntimeException e) {
      bound.values().forEach(ListenSockets::closeQuietly);
      throw e;
    }
  }

  private static int port(Map<String, ServerSocketChannel> bound, String listener) {
    ServerSocketChannel socket = bound.get(listener);
    return socket == null ? 0 : socket.socket().getLocalPort();
  }

  int brokerPort() {
    return brokerPort;
  }

  /** 0 when there is no such listener. */
  int securePort() {
    return securePort;
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
