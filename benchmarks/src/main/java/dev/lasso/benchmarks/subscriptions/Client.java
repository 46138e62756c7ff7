package dev.lasso.benchmarks.subscriptions;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket client: subscribes, and checks that what it is notified of has no gap, no
 * repetition and no wrong order. Keeps no text. Its handler belongs to the channel's event loop;
 * the counters are read by another thread once nothing comes any more.
 */
final class Client extends SimpleChannelInboundHandler<WebSocketFrame> {
  private static final Pattern RESULT = Pattern.compile("\"result\":\"0x([0-9a-f]{16})");
  private static final byte[] NOTIFICATION =
      "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\"0x"
          .getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NUMBER = "\"number\":\"0x".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HASH = "\"hash\":\"0x".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BLOCK = "\"blockNumber\":\"0x".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] INDEX = "\"logIndex\":\"0x".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_LOGS = 1 << 20;
  private static final int HASH_DIGITS = 64;

  private final Deliveries deliveries;
  private final boolean timed;
  private final CompletableFuture<Client> connected = new CompletableFuture<>();
  private final CompletableFuture<String> closed = new CompletableFuture<>();
  private volatile @Nullable Channel channel;
  private volatile @Nullable CompletableFuture<Void> answered;
  private long[] ids = {};
  private long[] places = {};
  private long lastHead;
  private String lastHash = "";
  private String hashBefore = "";
  private final AtomicLong heads = new AtomicLong();
  private final AtomicLong logs = new AtomicLong();
  private volatile String fault = "";

  /**
   * @param timed whether its deliveries count in the figures
   */
  Client(Deliveries deliveries, boolean timed) {
    super(true);
    this.deliveries = deliveries;
    this.timed = timed;
  }

  /** Completes when it may subscribe. */
  CompletableFuture<Client> connected() {
    return connected;
  }

  /** Completes with code and reason when the other side closes, with nothing when it just goes. */
  CompletableFuture<String> closed() {
    return closed;
  }

  /**
   * Subscribes to new heads.
   *
   * @param resume hash of the block to go on after, or empty
   * @param after height of that block
   */
  CompletableFuture<Void> newHeads(String resume, long after) {
    return subscribe(
        0,
        1,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_subscribe\",\"params\":[\"newHeads\""
            + (resume.isEmpty() ? "" : ",{" + resume(resume) + "}")
            + "]}",
        after * MAX_LOGS);
  }

  /** Subscribes to logs, in one batch for at most 50 filters each. */
  CompletableFuture<Void> logs(List<Watch> watches, String resume, long after) {
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (int from = 0; from < watches.size(); from += 50) {
      int begin = from;
      int end = Math.min(watches.size(), from + 50);
      StringBuilder batch = new StringBuilder("[");
      for (int i = begin; i < end; i++) {
        batch
            .append(i == begin ? "" : ",")
            .append("{\"jsonrpc\":\"2.0\",\"id\":")
            .append(i)
            .append(",\"method\":\"eth_subscribe\",\"params\":[\"logs\",{")
            .append(watches.get(i).json())
            .append(resume.isEmpty() ? "" : "," + resume(resume))
            .append("}]}");
      }
      String text = batch.append("]").toString();
      all = all.thenCompose(_ -> subscribe(1 + begin, end - begin, text, after * MAX_LOGS));
    }
    return all;
  }

  private static String resume(String hash) {
    return "\"resume\":{\"blockHash\":\"0x" + hash + "\"}";
  }

  private CompletableFuture<Void> subscribe(int first, int count, String text, long place) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Channel open = channel;
    if (open == null) {
      done.completeExceptionally(new IllegalStateException("not connected"));
      return done;
    }
    open.eventLoop()
        .execute(
            () -> {
              ids = java.util.Arrays.copyOf(ids, first + count);
              int before = places.length;
              places = java.util.Arrays.copyOf(places, first + count);
              java.util.Arrays.fill(places, before, first + count, place);
              answered = done;
              var _ = open.writeAndFlush(new TextWebSocketFrame(text));
            });
    return done;
  }

  /** Stops or begins to read. */
  void reading(boolean reads) {
    Channel open = channel;
    if (open != null) {
      var _ = open.config().setAutoRead(reads);
    }
  }

  /** Ends the connection. */
  void close() {
    Channel open = channel;
    if (open != null) {
      var _ = open.close();
    }
  }

  /** Headers received. */
  long heads() {
    return heads.get();
  }

  /** Logs received. */
  long logs() {
    return logs.get();
  }

  /** What went wrong first; empty when nothing did. */
  String fault() {
    return fault;
  }

  /** Height of the newest header. */
  long lastHead() {
    return lastHead;
  }

  /** Hash of the newest header, without 0x. */
  String lastHash() {
    return lastHash;
  }

  /** Hash of the header before it, without 0x. */
  String hashBefore() {
    return hashBefore;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
      connected.complete(this);
    } else if (event == ClientHandshakeStateEvent.HANDSHAKE_TIMEOUT) {
      connected.completeExceptionally(new IllegalStateException("no handshake in time"));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    connected.completeExceptionally(cause);
    var _ = context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    connected.completeExceptionally(new IllegalStateException("closed"));
    closed.complete("");
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
    switch (frame) {
      case TextWebSocketFrame text -> text(text.content());
      case CloseWebSocketFrame close -> {
        closed.complete(close.statusCode() + " " + close.reasonText());
        var _ = context.close();
      }
      default -> {}
    }
  }

  private void text(ByteBuf text) {
    if (!startsWith(text, NOTIFICATION)) {
      answer(text.toString(StandardCharsets.UTF_8));
      return;
    }
    int subscription = subscription(hex(text, text.readerIndex() + NOTIFICATION.length, 16));
    if (subscription < 0) {
      fail("a notification for a subscription that it does not have");
    } else if (subscription == 0) {
      head(text);
    } else {
      log(subscription, text);
    }
  }

  private void answer(String text) {
    CompletableFuture<Void> waiting = answered;
    if (waiting == null) {
      fail("an answer to nothing: " + text);
      return;
    }
    answered = null;
    Matcher results = RESULT.matcher(text);
    int at = (int) java.util.Arrays.stream(ids).takeWhile(id -> id != 0).count();
    while (results.find() && at < ids.length) {
      ids[at++] = Long.parseUnsignedLong(results.group(1), 16);
    }
    if (at < ids.length) {
      waiting.completeExceptionally(new IllegalStateException("refused: " + text));
    } else {
      waiting.complete(null);
    }
  }

  private int subscription(long id) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  private void head(ByteBuf text) {
    long number = hex(text, after(text, NUMBER), 16);
    long before = lastHead == 0 ? places[0] / MAX_LOGS : lastHead;
    if (before != 0 && number != before + 1) {
      fail("block " + number + " after " + before);
    }
    lastHead = number;
    int hash = after(text, HASH);
    hashBefore = lastHash;
    lastHash = text.toString(hash, HASH_DIGITS, StandardCharsets.US_ASCII);
    heads.incrementAndGet();
    if (timed) {
      deliveries.head(number, System.nanoTime());
    }
  }

  private void log(int subscription, ByteBuf text) {
    long number = hex(text, after(text, BLOCK), 16);
    long place = number * MAX_LOGS + 1 + hex(text, after(text, INDEX), 16);
    if (place <= places[subscription]) {
      fail("log " + place % MAX_LOGS + " of block " + number + " twice or too late");
    }
    places[subscription] = place;
    logs.incrementAndGet();
    if (timed) {
      deliveries.log(number, System.nanoTime());
    }
  }

  private void fail(String what) {
    if (fault.isEmpty()) {
      fault = what;
    }
  }

  private static boolean startsWith(ByteBuf text, byte[] beginning) {
    if (text.readableBytes() < beginning.length) {
      return false;
    }
    for (int i = 0; i < beginning.length; i++) {
      if (text.getByte(text.readerIndex() + i) != beginning[i]) {
        return false;
      }
    }
    return true;
  }

  /** Index of what follows a part of the text. */
  private static int after(ByteBuf text, byte[] part) {
    int last = text.writerIndex() - part.length;
    for (int from = text.readerIndex(); from <= last; from++) {
      from = text.indexOf(from, last + 1, part[0]);
      if (from < 0) {
        break;
      }
      int i = 1;
      while (i < part.length && text.getByte(from + i) == part[i]) {
        i++;
      }
      if (i == part.length) {
        return from + i;
      }
    }
    throw new IllegalArgumentException(
        "no " + new String(part, StandardCharsets.US_ASCII) + " in a notification");
  }

  /** The hex digits from an index on, at most so many of them. */
  private static long hex(ByteBuf text, int from, int digits) {
    long value = 0;
    for (int i = from; i < from + digits; i++) {
      int digit = Character.digit(text.getByte(i), 16);
      if (digit < 0) {
        break;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
