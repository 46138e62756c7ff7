package dev.lasso.testkit;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A network between a Kafka client and a broker of this machine that may be slow or pass nothing.
 * It listens on the broker's port at another loopback address. A broker tells clients where it is,
 * so what it says is read message by message, and its address replaced by the link's: both are as
 * long. Needs an operating system where all of 127.0.0.0/8 is this machine, and no encryption.
 *
 * <p>Bytes that do not pass are kept, as TCP keeps what a network loses, and pass later; so does
 * the end of a connection. Beyond some messages the sender has to wait. Thread-safe; four virtual
 * threads serve a connection.
 */
public final class KafkaLink implements AutoCloseable {
  private static final String BROKER_HOST = "127.0.0.1";
  private static final String HOST = "127.0.0.2";
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int MOST_WAITING = 64;

  private final int port;
  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final byte[] told;
  private boolean passing = true;
  private long delayNs;
  private boolean closed;

  private KafkaLink(int port, ServerSocket server) {
    this.port = port;
    this.server = server;
    byte[] host = BROKER_HOST.getBytes(StandardCharsets.US_ASCII);
    this.told = ByteBuffer.allocate(host.length + Integer.BYTES).put(host).putInt(port).array();
  }

  /**
   * What is passed on at once.
   *
   * @param bytes as read; empty at the end of the stream
   */
  private record Piece(ByteBuffer bytes, long readNs) {
    static Piece of(byte[] bytes) {
      return new Piece(ByteBuffer.wrap(bytes), System.nanoTime());
    }

    boolean last() {
      return bytes.capacity() == 0;
    }
  }

  /** A link to the broker at a port of 127.0.0.1; it passes everything at once. */
  public static KafkaLink to(int port) {
    try {
      ServerSocket server = new ServerSocket();
      server.bind(new InetSocketAddress(InetAddress.getByName(HOST), port));
      KafkaLink link = new KafkaLink(port, server);
      Thread.ofVirtual().start(link::accept);
      return link;
    } catch (IOException e) {
      throw new UncheckedIOException("no link at " + HOST + ":" + port, e);
    }
  }

  /** Where clients find the broker through this link, {@code host:port}. */
  public String address() {
    return HOST + ":" + port;
  }

  /** From now on what the broker says arrives so much later. */
  public synchronized void slow(Duration delay) {
    delayNs = delay.toNanos();
    notifyAll();
  }

  /** From now on nothing arrives on either side. */
  public synchronized void drop() {
    passing = false;
  }

  /** From now on everything passes at once. */
  public synchronized void heal() {
    passing = true;
    delayNs = 0;
    notifyAll();
  }

  private void accept() {
    try {
      while (!server.isClosed()) {
        connect(server.accept());
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void connect(Socket client) {
    try {
      sockets.add(client);
      Socket broker = new Socket(InetAddress.getLoopbackAddress(), port);
      sockets.add(broker);
      client.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
      join(client, broker, this::chunk, false);
      join(broker, client, this::message, true);
    } catch (IOException _) {
      end(client);
    }
  }

  /** Reads a piece; empty at the end of the stream. */
  @FunctionalInterface
  private interface Reader {
    byte[] next(DataInputStream in) throws IOException;
  }

  private void join(Socket from, Socket to, Reader reader, boolean slowed) {
    BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(MOST_WAITING);
    Thread.ofVirtual().start(() -> read(from, pieces, reader));
    Thread.ofVirtual().start(() -> write(pieces, to, slowed));
  }

  private static void read(Socket from, BlockingQueue<Piece> pieces, Reader reader) {
    try {
      try {
        DataInputStream in = new DataInputStream(from.getInputStream());
        byte[] bytes = reader.next(in);
        while (bytes.length > 0) {
          pieces.put(Piece.of(bytes));
          bytes = reader.next(in);
        }
      } catch (IOException _) {
        // ended, as a stream may
      }
      pieces.put(Piece.of(new byte[0]));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(BlockingQueue<Piece> pieces, Socket to, boolean slowed) {
    try {
      OutputStream out = to.getOutputStream();
      for (Piece piece = pieces.take(); !piece.last(); piece = pieces.take()) {
        awaitPassage(piece.readNs(), slowed);
        out.write(piece.bytes().array());
      }
      awaitPassage(System.nanoTime(), false);
    } catch (IOException _) {
      // the receiver is gone
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      end(to);
    }
  }

  private synchronized void awaitPassage(long readNs, boolean slowed) throws InterruptedException {
    while (!closed) {
      long leftNs = slowed ? readNs + delayNs - System.nanoTime() : 0;
      if (passing && leftNs <= 0) {
        return;
      }
      wait(passing ? TimeUnit.NANOSECONDS.toMillis(leftNs) + 1 : 0);
    }
  }

  private byte[] chunk(InputStream in) throws IOException {
    byte[] bytes = new byte[CHUNK_BYTES];
    int read = in.read(bytes);
    return Arrays.copyOf(bytes, Math.max(0, read));
  }

  /** A message with its length in front, the broker's address replaced by the link's. */
  private byte[] message(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] bytes = new byte[Integer.BYTES + length];
    ByteBuffer.wrap(bytes).putInt(length);
    in.readFully(bytes, Integer.BYTES, length);
    for (int at = Integer.BYTES; at <= bytes.length - told.length; at++) {
      if (Arrays.equals(bytes, at, at + told.length, told, 0, told.length)) {
        byte[] host = HOST.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(host, 0, bytes, at, host.length);
      }
    }
    return bytes;
  }

  private void end(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException _) {
      // it is closed, then
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      server.close();
    } catch (IOException _) {
      // it is closed, then
    }
    sockets.forEach(this::end);
  }
}
