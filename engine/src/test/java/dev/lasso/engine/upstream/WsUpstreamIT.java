package dev.lasso.engine.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.ScanLimits;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.UpstreamUrl;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One provider over a WebSocket: matching, losing, reconnecting, subscribing. */
class WsUpstreamIT {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final WsSettings QUICK =
      new WsSettings(2_000, 50, 400, 60_000, 5_000, 1 << 20, 8, ScanLimits.DEFAULT);

  /** A close frame with code 1000 (RFC 6455, 5.5.1). */
  private static final byte[] NORMAL_CLOSURE = {(byte) 0x88, 2, 3, (byte) 0xe8};

  private Vertx vertx;
  private WsConnections connections;
  private final List<ServerWebSocket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger dials = new AtomicInteger();

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    connections = new WsConnections(vertx, QUICK, new SplittableRandom(5));
  }

  @AfterEach
  void stop() throws Exception {
    connections.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private WsUpstream connect(BiConsumer<ServerWebSocket, JsonObject> script) throws Exception {
    return connect(connections, "p", script);
  }

  private WsUpstream connect(
      WsConnections among, String name, BiConsumer<ServerWebSocket, JsonObject> script)
      throws Exception {
    int port =
        vertx
            .createHttpServer()
            .webSocketHandler(
                socket -> {
                  dials.incrementAndGet();
                  sockets.add(socket);
                  socket.textMessageHandler(text -> script.accept(socket, new JsonObject(text)));
                })
            .listen(0, "localhost")
            .toCompletionStage()
            .toCompletableFuture()
            .get()
            .actualPort();
    ProviderEndpoint endpoint = endpoint(name, port);
    among.keep(List.of(endpoint));
    WsUpstream upstream = Objects.requireNonNull(among.connect(endpoint));
    await().atMost(SOON).until(upstream::connected);
    return upstream;
  }

  private static ProviderEndpoint endpoint(String name, int port) {
    return new ProviderEndpoint(
        ProviderId.of(name),
        InstanceId.of(name + "-000000000000"),
        null,
        UpstreamUrl.parse(Transport.WS, "ws://localhost:" + port + "/ws"),
        Map.of());
  }

  private static CompletableFuture<UpstreamOutcome> call(
      WsUpstream upstream, String method, long timeoutMs) {
    CompletableFuture<UpstreamOutcome> done = new CompletableFuture<>();
    upstream.call(new UpstreamRequest(RpcCall.of(method, "[]"), timeoutMs, true), done::complete);
    return done.orTimeout(20, TimeUnit.SECONDS);
  }

  private static void reply(ServerWebSocket socket, Object id, String result) {
    String idText = id instanceof String ? "\"" + id + "\"" : id.toString();
    socket.writeTextMessage(
        "{\"jsonrpc\":\"2.0\",\"id\":" + idText + ",\"result\":" + result + "}");
  }

  private static void assertResult(UpstreamOutcome outcome, String result) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            UpstreamOutcome.Result.class, r -> assertThat(r.result()).hasToString(result));
  }

  @Test
  void matchesAnswersInAnyOrderAndWithIdsOfAnotherType() throws Exception {
    ConcurrentLinkedQueue<Long> slow = new ConcurrentLinkedQueue<>();
    WsUpstream upstream =
        connect(
            (socket, call) -> {
              if (call.getString("method").equals("first")) {
                slow.add(call.getLong("id"));
              } else {
                reply(socket, call.getLong("id").toString(), "\"second\"");
                reply(socket, slow.remove(), "\"first\"");
              }
            });
    CompletableFuture<UpstreamOutcome> first = call(upstream, "first", 5000);
    assertResult(call(upstream, "second", 5000).join(), "\"second\"");
    assertResult(first.join(), "\"first\"");
  }

  @Test
  void aLateAnswerReachesNobody() throws Exception {
    WsUpstream upstream =
        connect(
            (socket, call) -> {
              if (call.getString("method").equals("slow")) {
                vertx.setTimer(150, late -> reply(socket, call.getLong("id"), "\"SLOW\""));
              } else {
                reply(socket, call.getLong("id"), "\"FAST\"");
              }
            });
    for (int i = 0; i < 10; i++) {
      assertThat(call(upstream, "slow", 50).join())
          .isEqualTo(new UpstreamOutcome.Failed(TransportFault.TIMEOUT, true));
      assertResult(call(upstream, "fast", 5000).join(), "\"FAST\"");
    }
    assertThat(dials).hasValue(1);
    assertThat(upstream.inFlight()).isZero();
  }

  @Test
  void limitsCallsInFlight() throws Exception {
    WsUpstream upstream = connect((socket, call) -> {});
    List<CompletableFuture<UpstreamOutcome>> calls = new java.util.ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(call(upstream, "m", 500));
    }
    long busy =
        calls.stream()
            .map(CompletableFuture::join)
            .filter(new UpstreamOutcome.Failed(TransportFault.BUSY, false)::equals)
            .count();
    assertThat(busy).isEqualTo(2);
  }

  @Test
  void callsUnderWayFailWhenTheConnectionGoesAndLaterOnesUseTheNext() throws Exception {
    WsUpstream upstream =
        connect(
            (socket, call) -> {
              if (call.getString("method").equals("die")) {
                socket.close();
              } else {
                reply(socket, call.getLong("id"), "1");
              }
            });
    assertThat(call(upstream, "die", 5000).join())
        .isEqualTo(new UpstreamOutcome.Failed(TransportFault.CLOSED, true));
    await().atMost(SOON).until(() -> dials.get() == 2 && upstream.connected());
    assertResult(call(upstream, "m", 5000).join(), "1");
  }

  @Test
  void aGivenUpConnectionThatEndsLateDoesNotHarmTheNext() throws Exception {
    WsUpstream upstream =
        connect(
            (socket, call) -> {
              if (call.getString("method").equals("garbage")) {
                socket.writeTextMessage("garbage");
                vertx.setTimer(600, late -> socket.close());
              } else {
                reply(socket, call.getLong("id"), "1");
              }
            });
    assertThat(call(upstream, "garbage", 5000).join())
        .isEqualTo(new UpstreamOutcome.Failed(TransportFault.CLOSED, true));
    await().atMost(SOON).until(() -> dials.get() == 2 && upstream.connected());
    await()
        .during(Duration.ofMillis(900))
        .atMost(SOON)
        .until(() -> dials.get() == 2 && upstream.connected());
    assertResult(call(upstream, "m", 5000).join(), "1");
  }

  @Test
  void dialsGrowApartWhileTheProviderFlaps() throws Exception {
    WsUpstream upstream = connect((socket, call) -> {});
    AtomicInteger flapping = new AtomicInteger(1);
    vertx.setPeriodic(
        5,
        tick -> {
          if (flapping.get() == 1) {
            sockets.forEach(ServerWebSocket::close);
          }
        });
    int before = dials.get();
    await()
        .pollDelay(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(4))
        .until(() -> dials.get() > before);
    assertThat(dials.get() - before).isLessThanOrEqualTo(12);
    flapping.set(0);
    await().atMost(SOON).during(Duration.ofMillis(100)).until(upstream::connected);
  }

  @Test
  void oversizedMessagesEndTheConnection() throws Exception {
    WsUpstream upstream =
        connect(
            (socket, call) -> reply(socket, call.getLong("id"), "\"" + "x".repeat(2 << 20) + "\""));
    assertThat(call(upstream, "m", 5000).join())
        .isEqualTo(new UpstreamOutcome.Failed(TransportFault.TOO_LARGE, true));
  }

  @Test
  void whoseAnswerWasTooLargeIsNotKnownOfSeveralCalls() throws Exception {
    AtomicInteger waiting = new AtomicInteger();
    WsUpstream upstream =
        connect(
            (socket, call) -> {
              if (waiting.incrementAndGet() == 2) {
                reply(socket, call.getLong("id"), "\"" + "x".repeat(2 << 20) + "\"");
              }
            });
    CompletableFuture<UpstreamOutcome> one = call(upstream, "m", 5000);
    CompletableFuture<UpstreamOutcome> other = call(upstream, "m", 5000);
    UpstreamOutcome nothingSaid = new UpstreamOutcome.Failed(TransportFault.CUT_SHORT, true);
    assertThat(List.of(one.join(), other.join())).containsOnly(nothingSaid);
  }

  @Test
  void aSingleFrameBeyondTheLimitIsAnAnswerThatIsTooLarge() throws Exception {
    int bytes = (1 << 20) + 1;
    Buffer frame = Buffer.buffer().appendByte((byte) 0x81).appendByte((byte) 127).appendLong(bytes);
    NetServer oversized = rawServer(socket -> socket.write(frame));
    ProviderEndpoint endpoint = endpoint("oversized", oversized.actualPort());
    connections.keep(List.of(endpoint));
    WsUpstream upstream = Objects.requireNonNull(connections.connect(endpoint));
    await().atMost(SOON).until(upstream::connected);
    assertThat(call(upstream, "m", 5000).join())
        .isEqualTo(new UpstreamOutcome.Failed(TransportFault.TOO_LARGE, true));
  }

  @Test
  void subscriptionsAreMadeAgainAfterAReconnection() throws Exception {
    AtomicInteger subscriptions = new AtomicInteger();
    WsUpstream upstream =
        connect(
            (socket, call) -> {
              String id = "0x" + subscriptions.incrementAndGet();
              // the first event overtakes the answer
              push(socket, id, "1");
              reply(socket, call.getLong("id"), "\"" + id + "\"");
              push(socket, id, "2");
              push(socket, "0xother", "9");
            });
    Heard heard = new Heard();
    UpstreamCall subscription = upstream.subscribe(JsonSlice.of("[\"newHeads\"]"), heard);
    await().atMost(SOON).until(() -> heard.log.size() == 3);
    assertThat(heard.log).containsExactly("active", "1", "2");
    sockets.getFirst().close();
    await().atMost(SOON).until(() -> heard.log.size() == 7);
    assertThat(heard.log).containsExactly("active", "1", "2", "lost", "active", "1", "2");
    subscription.cancel();
    await().atMost(SOON).until(() -> subscriptions.get() == 3);
  }

  @Test
  void aNumericIdIsANumberToTheEndAndNothingComesAfterIt() throws Exception {
    List<String> unsubscribed = new CopyOnWriteArrayList<>();
    WsUpstream upstream =
        connect(
            (socket, call) -> {
              if (call.getString("method").equals("eth_unsubscribe")) {
                unsubscribed.add(call.getJsonArray("params").encode());
                pushRaw(socket, "17", "3");
                reply(socket, call.getLong("id"), "true");
              } else if (call.getString("method").equals("eth_subscribe")) {
                pushRaw(socket, "17", "1");
                reply(socket, call.getLong("id"), "17");
                pushRaw(socket, "17", "2");
              } else {
                reply(socket, call.getLong("id"), "1");
              }
            });
    Heard heard = new Heard();
    UpstreamCall subscription = upstream.subscribe(JsonSlice.of("[\"newHeads\"]"), heard);
    await().atMost(SOON).until(() -> heard.log.size() == 3);
    subscription.cancel();
    await().atMost(SOON).until(() -> !unsubscribed.isEmpty());
    assertResult(call(upstream, "after", 5_000).join(), "1");
    assertThat(unsubscribed).containsExactly("[17]");
    assertThat(heard.log).containsExactly("active", "1", "2");
  }

  @Test
  void equalIdsOfTwoProvidersAreTwoSubscriptions() throws Exception {
    WsUpstream one = connect((socket, call) -> answerAndPush(socket, call, "1"));
    Heard first = new Heard();
    one.subscribe(JsonSlice.of("[\"newHeads\"]"), first);
    await().atMost(SOON).until(() -> first.log.size() == 2);
    WsConnections others = new WsConnections(vertx, QUICK, new SplittableRandom(6));
    WsUpstream two = connect(others, "q", (socket, call) -> answerAndPush(socket, call, "2"));
    Heard second = new Heard();
    two.subscribe(JsonSlice.of("[\"newHeads\"]"), second);
    await().atMost(SOON).until(() -> second.log.size() == 2);
    assertThat(first.log).containsExactly("active", "1");
    assertThat(second.log).containsExactly("active", "2");
    others.close();
  }

  private static void answerAndPush(ServerWebSocket socket, JsonObject call, String event) {
    reply(socket, call.getLong("id"), "\"0x1\"");
    push(socket, "0x1", event);
  }

  @Test
  void aNotificationOfFiveMegabytesComesInFragmentsWithPingsBetween() throws Exception {
    int size = 5 << 20;
    WsConnections large = new WsConnections(vertx, WsSettings.DEFAULT, new SplittableRandom(7));
    WsUpstream upstream =
        connect(
            large,
            "large",
            (socket, call) -> {
              reply(socket, call.getLong("id"), "\"0x1\"");
              Buffer whole =
                  Buffer.buffer(
                      "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":"
                          + "{\"subscription\":\"0x1\",\"result\":\""
                          + "y".repeat(size)
                          + "\"}}");
              int piece = 60_000;
              for (int from = 0; from < whole.length(); from += piece) {
                int to = Math.min(whole.length(), from + piece);
                boolean last = to == whole.length();
                socket.writeFrame(
                    from == 0
                        ? WebSocketFrame.textFrame(whole.getString(from, to), last)
                        : WebSocketFrame.continuationFrame(whole.slice(from, to), last));
                socket.writePing(Buffer.buffer("p"));
              }
            });
    Heard heard = new Heard();
    upstream.subscribe(JsonSlice.of("[\"newHeads\"]"), heard);
    await().atMost(SOON).until(() -> heard.log.size() == 2);
    assertThat(heard.log.getLast()).hasSize(size + 2);
    large.close();
  }

  @Test
  void aProviderThatAnswersNoPingsIsDialledAgain() throws Exception {
    NetServer silent = rawServer(socket -> {});
    WsSettings pingingOften =
        new WsSettings(2_000, 50, 400, 60_000, 100, 1 << 20, 8, ScanLimits.DEFAULT);
    try (WsConnections among = new WsConnections(vertx, pingingOften, new SplittableRandom(8))) {
      among.keep(List.of(endpoint("silent", silent.actualPort())));
      await().atMost(SOON).until(() -> dials.get() >= 3);
    }
  }

  @Test
  void aProviderThatSaidGoodbyeIsLeftThoughItKeepsTheConnection() throws Exception {
    NetServer leaving = rawServer(socket -> socket.write(Buffer.buffer(NORMAL_CLOSURE)));
    ProviderEndpoint endpoint = endpoint("leaving", leaving.actualPort());
    connections.keep(List.of(endpoint));
    WsUpstream upstream = Objects.requireNonNull(connections.connect(endpoint));
    await().atMost(SOON).until(upstream::connected);
    List<CompletableFuture<UpstreamOutcome>> calls =
        IntStream.range(0, 5).mapToObj(_ -> call(upstream, "m", 15_000)).toList();
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThat(call.get(10, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                        UpstreamOutcome.Failed.class,
                        failed -> assertThat(failed.fault()).isEqualTo(TransportFault.CLOSED)));
    await().atMost(SOON).until(() -> dials.get() >= 2);
  }

  /** Takes upgrades and leaves connections open, whatever is said on them. */
  private NetServer rawServer(Consumer<NetSocket> onFrame) throws Exception {
    return vertx
        .createNetServer()
        .connectHandler(
            socket -> {
              dials.incrementAndGet();
              socket.handler(
                  bytes -> {
                    Matcher key =
                        Pattern.compile("(?i)Sec-WebSocket-Key: (\\S+)").matcher(bytes.toString());
                    if (key.find()) {
                      socket.write(switchingProtocols(key.group(1)));
                    } else {
                      onFrame.accept(socket);
                    }
                  });
            })
        .listen(0, "localhost")
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  /** What a server answers that takes the upgrade (RFC 6455, 4.2.2). */
  private static String switchingProtocols(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest(
                  (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                      .getBytes(StandardCharsets.US_ASCII));
      return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: "
          + Base64.getEncoder().encodeToString(digest)
          + "\r\n\r\n";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRefusedSubscriptionIsToldAndKeepsTheConnection() throws Exception {
    WsUpstream upstream =
        connect(
            (socket, call) ->
                socket.writeTextMessage(
                    "{\"id\":"
                        + call.getLong("id")
                        + ",\"error\":{\"code\":-32601,\"message\":\"no\"}}"));
    Heard heard = new Heard();
    upstream.subscribe(JsonSlice.of("[\"logs\",{}]"), heard);
    await().atMost(SOON).until(() -> heard.log.contains("refused -32601"));
    assertThat(upstream.connected()).isTrue();
    assertThat(dials).hasValue(1);
  }

  @Test
  void aRemovedEndpointIsDisconnected() throws Exception {
    WsUpstream upstream = connect((socket, call) -> {});
    connections.keep(List.of());
    await().atMost(SOON).until(() -> !upstream.connected() && sockets.getFirst().isClosed());
    assertThat(connections.of(InstanceId.of("p-000000000000"))).isNull();
  }

  private static void push(ServerWebSocket socket, String subscription, String event) {
    pushRaw(socket, "\"" + subscription + "\"", event);
  }

  private static void pushRaw(ServerWebSocket socket, String subscription, String event) {
    socket.writeTextMessage(
        "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":"
            + subscription
            + ",\"result\":"
            + event
            + "}}");
  }

  private static final class Heard implements WsSubscriber {
    private final List<String> log = new CopyOnWriteArrayList<>();

    @Override
    public void active() {
      log.add("active");
    }

    @Override
    public void event(JsonSlice event) {
      log.add(event.toString());
    }

    @Override
    public void lost() {
      log.add("lost");
    }

    @Override
    public void refused(UpstreamError error) {
      log.add("refused " + error.code());
    }
  }
}
