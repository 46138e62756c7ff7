package dev.lasso.benchmarks.subscriptions;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Connects clients, all on one event loop. Called by the harness's thread. */
final class Crowd implements AutoCloseable {
  private static final int AT_ONCE = 64;
  private static final int MAX_FRAME_BYTES = 32 << 20;
  private static final long WITHIN_SECONDS = 120;
  private static final int CLIENTS_OF_ONE_ADDRESS = 20_000;

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final URI url;
  private final Deliveries deliveries;
  private int made;

  Crowd(URI url, Deliveries deliveries) {
    this.url = url;
    this.deliveries = deliveries;
  }

  /** Connects so many clients whose deliveries are timed; returns when all are. */
  List<Client> connect(int count) throws InterruptedException {
    List<Client> clients = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      clients.add(new Client(deliveries, true));
    }
    each(clients, (client, _) -> dial(client, 0));
    return clients;
  }

  /** Connects a client whose kernel holds little for it, and which is not timed. */
  Client connectNarrow() {
    Client client = new Client(deliveries, false);
    return dial(client, 8 << 10).join();
  }

  /** Something done with a client. */
  interface Step {
    /**
     * Begins it.
     *
     * @param number of the client, from 0
     */
    CompletableFuture<?> begin(Client client, int number);
  }

  /** Does something with each client, with few of them at once; returns when all is done. */
  static void each(List<Client> clients, Step step) throws InterruptedException {
    Semaphore places = new Semaphore(AT_ONCE);
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      if (!places.tryAcquire(WITHIN_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no answer within " + WITHIN_SECONDS + " s");
      }
      all.add(step.begin(clients.get(i), i).whenComplete((_, _) -> places.release()));
    }
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
          .orTimeout(WITHIN_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      throw new IllegalStateException("a client was refused or cut off", e);
    }
  }

  private CompletableFuture<Client> dial(Client client, int receiveBytes) {
    WebSocketClientProtocolHandler protocol =
        new WebSocketClientProtocolHandler(
            WebSocketClientHandshakerFactory.newHandshaker(
                url, WebSocketVersion.V13, null, false, new DefaultHttpHeaders(), MAX_FRAME_BYTES),
            false,
            true,
            TimeUnit.SECONDS.toMillis(WITHIN_SECONDS));
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 30_000)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            new HttpClientCodec(),
                            new HttpObjectAggregator(8_192),
                            protocol,
                            client);
                  }
                });
    if (receiveBytes > 0) {
      bootstrap.option(ChannelOption.SO_RCVBUF, receiveBytes);
    }
    // one address has ports for some 28,000 connections only
    String from = "127.0.0." + (1 + made++ / CLIENTS_OF_ONE_ADDRESS);
    bootstrap
        .connect(
            new InetSocketAddress(url.getHost(), url.getPort()), new InetSocketAddress(from, 0))
        .addListener(
            result -> {
              if (!result.isSuccess()) {
                client.connected().completeExceptionally(result.cause());
              }
            });
    return client.connected();
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
  }
}
