package dev.lasso.subscription;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrameType;
import io.vertx.core.http.impl.ws.WebSocketFrameImpl;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What waits to be sent to one client, bounded in bytes. A client that falls behind by more is
 * closed with 1008 and what waited is dropped, so nobody else waits for it and its memory is
 * bounded. Belongs to the socket's event loop.
 */
final class Outbound {
  /** Largest frame sent; a longer message goes out in fragments. */
  private static final int MAX_FRAME_BYTES = 16 << 20;

  /** What is handed to the connection before it must drain. */
  private static final int CONNECTION_BYTES = 256 << 10;

  private final ServerWebSocket socket;
  private final int maxBytes;
  private final AnswerBytes.Account account;
  private final ClientMeters meters;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean ended;

  /**
   * A message that waits.
   *
   * @param own whether no other client has the same bytes, so that they count in the account
   */
  private record Waiting(ByteBuf bytes, boolean own) {
    int size() {
      return bytes.readableBytes();
    }
  }

  /**
   * A queue that is empty.
   *
   * @param maxBytes what may wait
   * @param account counts what waits of answers
   */
  Outbound(ServerWebSocket socket, int maxBytes, AnswerBytes.Account account, ClientMeters meters) {
    this.socket = socket;
    this.maxBytes = maxBytes;
    this.account = account;
    this.meters = meters;
    socket.setWriteQueueMaxSize(CONNECTION_BYTES);
    socket.drainHandler(_ -> pump());
  }

  /** Sends an answer as soon as the client has read what was before it. */
  void send(Buffer message) {
    send(((BufferInternal) message).getByteBuf(), true);
  }

  /** As {@link #send(Buffer)}, an event, whose bytes may be shared with other clients' messages. */
  void send(ByteBuf message) {
    send(message, false);
  }

  private void send(ByteBuf message, boolean own) {
    if (ended()) {
      return;
    }
    if (waiting.isEmpty() && !socket.writeQueueFull()) {
      write(message);
      return;
    }
    if (own) {
      account.hold(message.readableBytes());
    }
    waiting.addLast(new Waiting(message, own));
    waits(message.readableBytes());
    if (waitingBytes > maxBytes) {
      close(
          Closing.SLOW_READER,
          "slow reader: more than " + maxBytes + " bytes waiting; subscribe again with resume");
    }
  }

  /** Whether nothing may be written any more: a client that said goodbye may still be connected. */
  private boolean ended() {
    return ended || socket.isClosed();
  }

  /** Bytes that wait here, without what the connection holds already. */
  long waitingBytes() {
    return waitingBytes;
  }

  private void pump() {
    while (!ended() && !socket.writeQueueFull()) {
      Waiting next = waiting.pollFirst();
      if (next == null) {
        return;
      }
      waits(-next.size());
      if (next.own()) {
        account.release(next.size());
      }
      write(next.bytes());
    }
  }

  private void write(ByteBuf message) {
    int size = message.readableBytes();
    if (size <= MAX_FRAME_BYTES) {
      frame(WebSocketFrameType.TEXT, message, true);
      return;
    }
    for (int from = 0; from < size; from += MAX_FRAME_BYTES) {
      int length = Math.min(MAX_FRAME_BYTES, size - from);
      frame(
          from == 0 ? WebSocketFrameType.TEXT : WebSocketFrameType.CONTINUATION,
          message.slice(message.readerIndex() + from, length).retain(),
          from + length == size);
    }
  }

  /** Vert.x makes text frames of strings only, which would cost a copy and a coding each way. */
  private void frame(WebSocketFrameType type, ByteBuf data, boolean last) {
    var _ = socket.writeFrame(new WebSocketFrameImpl(type, data, last));
  }

  /** Ends the connection; nothing that waits is sent any more. */
  void close(Closing why, String reason) {
    if (ended) {
      return;
    }
    gone();
    if (!socket.isClosed()) {
      meters.closed(why);
      var _ = socket.close(why.code(), reason);
    }
  }

  /** Forgets everything: the connection is gone. */
  void gone() {
    ended = true;
    waiting.stream().filter(Waiting::own).forEach(one -> account.release(one.size()));
    waiting.clear();
    waits(-waitingBytes);
  }

  private void waits(long change) {
    waitingBytes += change;
    meters.queued(change);
  }

  /** A message's bytes put together of several parts without copying. */
  static ByteBuf joined(ByteBuffer... parts) {
    return Unpooled.wrappedBuffer(parts);
  }
}
