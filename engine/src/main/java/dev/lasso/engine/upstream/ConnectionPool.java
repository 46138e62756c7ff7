package dev.lasso.engine.upstream;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientConnection;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * The HTTP/1.1 connections of one event loop to one provider. A connection carries one exchange at
 * a time; the one used last is used first, so that idle ones age out. Owned by its event loop:
 * every method and callback runs there, nothing is locked.
 *
 * <p>Every connection counts against the limit from the moment it is dialled until it is closed, so
 * calls that are given up never leak a place.
 */
final class ConnectionPool {
  /** Wants a connection. */
  interface Waiter {
    /** Has it now, and gives it back or closes it. */
    void ready(Connection connection);

    /** Can't have one. */
    void refused(TransportFault fault);
  }

  private static final long SWEEP_MS = 1_000;

  private final Vertx vertx;
  private final Supplier<Future<HttpClientConnection>> dial;
  private final HttpSettings settings;
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
  private int open;
  private int dialling;
  private long diallingSinceMs;
  private boolean sweeping;
  private boolean closed;

  ConnectionPool(Vertx vertx, Supplier<Future<HttpClientConnection>> dial, HttpSettings settings) {
    this.vertx = vertx;
    this.dial = dial;
    this.settings = settings;
  }

  /** An open connection. */
  final class Connection {
    private final HttpClientConnection http;
    private boolean used;
    private boolean gone;
    private long idleSinceMs;
    private long idleLimitMs = settings.idleTimeoutMs();

    private Connection(HttpClientConnection http) {
      this.http = http;
    }

    HttpClientConnection http() {
      return http;
    }

    /** Whether it carried an exchange before. */
    boolean used() {
      return used;
    }

    /**
     * Ends the exchange on it, which was complete.
     *
     * @param keepAliveMs how long the provider keeps it open when idle
     */
    void giveBack(long keepAliveMs) {
      if (gone) {
        return;
      }
      used = true;
      idleLimitMs = Math.min(settings.idleTimeoutMs(), keepAliveMs);
      if (closed || idleLimitMs <= 0) {
        close();
        return;
      }
      Waiter next = waiting.pollFirst();
      if (next != null) {
        next.ready(this);
        return;
      }
      idleSinceMs = nowMs();
      idle.addFirst(this);
      sweepLater();
    }

    /** Ends it, and whatever still comes on it. */
    void close() {
      if (!gone) {
        leave();
        http.close();
      }
    }

    private void leave() {
      gone = true;
      open--;
      idle.remove(this);
      dialForWaiting();
    }

    private long idleMs() {
      return nowMs() - idleSinceMs;
    }
  }

  /** Connections open or being dialled. */
  int open() {
    return open;
  }

  /**
   * Whether dialling has led to nothing for that long, so that the provider is to blame for a wait
   * and not a lack of places.
   */
  boolean dialsHang(long forMs) {
    return dialling > 0 && nowMs() - diallingSinceMs >= forMs;
  }

  /**
   * Gets a connection, at once when one is idle.
   *
   * @param maxIdleMs longest time that the connection may have been idle; negative for a new one
   */
  void acquire(Waiter waiter, long maxIdleMs) {
    for (Connection connection = idle.peekFirst();
        connection != null && connection.idleMs() <= maxIdleMs;
        connection = idle.peekFirst()) {
      if (connection.idleMs() < connection.idleLimitMs) {
        idle.removeFirst();
        waiter.ready(connection);
        return;
      }
      connection.close();
    }
    if (waiting.size() - dialling >= settings.maxWaiting() && open >= settings.maxConnections()) {
      waiter.refused(TransportFault.BUSY);
      return;
    }
    if (open >= settings.maxConnections() && !idle.isEmpty()) {
      idle.peekLast().close();
    }
    waiting.addLast(waiter);
    dialForWaiting();
  }

  /** Forgets a waiter that has been given nothing yet. */
  void giveUp(Waiter waiter) {
    waiting.remove(waiter);
  }

  private void dialForWaiting() {
    while (dialling < waiting.size() && open < settings.maxConnections() && !closed) {
      open++;
      if (dialling == 0) {
        diallingSinceMs = nowMs();
      }
      dialling++;
      dial.get()
          .onComplete(
              dialled -> {
                dialling--;
                diallingSinceMs = nowMs();
                if (dialled.succeeded()) {
                  connected(dialled.result());
                } else {
                  failed(TransportFault.connecting(dialled.cause()));
                }
              });
    }
  }

  private void connected(HttpClientConnection http) {
    Connection connection = new Connection(http);
    // its end tells all; that a provider resets it instead of closing it is no error of ours
    http.exceptionHandler(_ -> {});
    http.closeHandler(
        ended -> {
          if (!connection.gone) {
            connection.leave();
          }
        });
    Waiter next = waiting.pollFirst();
    if (closed) {
      connection.close();
    } else if (next != null) {
      next.ready(connection);
    } else {
      connection.idleSinceMs = nowMs();
      idle.addFirst(connection);
      sweepLater();
    }
  }

  private void failed(TransportFault fault) {
    open--;
    Waiter next = waiting.pollFirst();
    if (next != null) {
      next.refused(fault);
    }
    dialForWaiting();
  }

  /** Closes what is idle; what is in use closes when it is given back. */
  void close() {
    closed = true;
    while (!idle.isEmpty()) {
      idle.peekFirst().close();
    }
    while (!waiting.isEmpty()) {
      waiting.removeFirst().refused(TransportFault.CLOSED);
    }
  }

  private void sweepLater() {
    if (!sweeping) {
      sweeping = true;
      vertx.setTimer(SWEEP_MS, this::sweep);
    }
  }

  private void sweep(long timer) {
    sweeping = false;
    for (Connection oldest = idle.peekLast();
        oldest != null && oldest.idleMs() >= oldest.idleLimitMs;
        oldest = idle.peekLast()) {
      oldest.close();
    }
    if (!idle.isEmpty()) {
      sweepLater();
    }
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
