package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.RawWebSocket;
import dev.lasso.testkit.TestBroker;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What goes over one client's WebSocket: large, many, slow, missing and wrong messages. */
@ExtendWith(BrokerExtension.class)
class SocketFramesIT {
  private static final AtomicInteger TESTS = new AtomicInteger();
  private static final int SIXTEEN_MEBIBYTES = 16 << 20;
  private static final int FIVE_MEGABYTES = 5_000_000;
  private static final int SEVENTEEN_MEGABYTES = 17_000_000;
  private static final int CLOSE_FRAME = 0x88;

  private final String bootstrap;
  private final String prefix;
  private final Path directory;
  private ChainScene scene;

  SocketFramesIT(TestBroker broker, @TempDir Path directory) {
    this.bootstrap = broker.bootstrapServers();
    this.prefix = broker.topicPrefix() + TESTS.incrementAndGet() + ".";
    this.directory = directory;
    this.scene = scene(url -> url);
  }

  private ChainScene scene(UnaryOperator<String> reached) {
    return new ChainScene(bootstrap, prefix + TESTS.incrementAndGet() + ".", directory, 0, reached);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private static SocketClient connect(SubscriptionRig rig) {
    return SocketClient.connect(rig.context.vertx(), rig.port());
  }

  @Test
  void logsOfFiveMegabytesReachTheClientWhole() {
    scene.close();
    try (LargeLogs large = new LargeLogs(FIVE_MEGABYTES)) {
      scene = scene(large::before);
      SubscriptionRig rig = scene.process(Map.of());
      SocketClient client = connect(rig);
      String logs = client.subscribe("logs", new JsonObject());
      List<SimBlock> mined = new ArrayList<>();
      while (mined.stream().filter(block -> !block.logs().isEmpty()).count() < 3) {
        mined.addAll(scene.mine(1));
      }
      List<String> expected =
          mined.stream()
              .flatMap(
                  block ->
                      IntStream.range(0, block.logs().size()).mapToObj(i -> block.hash() + "/" + i))
              .toList();
      Await.until(
          () ->
              assertThat(
                      client.events(logs).stream()
                          .map(
                              log ->
                                  log.getString("blockHash")
                                      + "/"
                                      + Integer.decode(log.getString("logIndex"))))
                  .containsExactlyElementsOf(expected));
      assertThat(client.events(logs))
          .filteredOn(log -> log.getString("logIndex").equals("0x0"))
          .hasSize(3)
          .allMatch(log -> log.getString("data").equals(large.data()));
    }
  }

  /** More than a record in Kafka holds. */
  @Test
  void aBlockWithLogsOfSeventeenMegabytesStopsNothing() {
    scene.close();
    try (LargeLogs large = new LargeLogs(SEVENTEEN_MEGABYTES)) {
      scene = scene(large::before);
      SubscriptionRig rig = scene.process(Map.of());
      SocketClient client = connect(rig);
      String heads = client.subscribe("newHeads");
      String logs = client.subscribe("logs", new JsonObject());
      Await.until(() -> assertThat(rig.knowsThatLogsAreWanted(ChainScene.CHAIN)).isTrue());
      List<SimBlock> mined = new ArrayList<>(scene.mine(1));
      while (mined.getLast().logs().isEmpty()) {
        mined.addAll(scene.mine(1));
      }
      SimBlock last = scene.mine(1).getFirst();
      Await.until(
          () ->
              assertThat(client.events(heads).stream().map(head -> head.getString("hash")))
                  .contains(last.hash()));
      Await.until(
          () ->
              assertThat(client.events(logs))
                  .first()
                  .returns(large.data(), log -> log.getString("data")));
    }
  }

  @Test
  void anAnswerForWhichThereIsNoRoomInTheProcessIsRefusedAndLaterOnesAreNot() {
    scene.close();
    try (LargeLogs large = new LargeLogs(500_000)) {
      scene = scene(large::before);
      SubscriptionRig rig = scene.process(Map.of("LASSO_WS_MAX_ANSWER_BYTES", "700000"));
      List<SimBlock> withLogs = new ArrayList<>();
      while (withLogs.size() < 2) {
        scene.mine(1).stream().filter(block -> !block.logs().isEmpty()).forEach(withLogs::add);
      }
      SocketClient client = connect(rig);
      JsonArray both = new JsonArray().add(call(1, "eth_unsubscribe", "0xnone"));
      for (int i = 0; i < 2; i++) {
        both.add(call(2 + i, "eth_getLogs", logsOf(withLogs.get(i))));
      }
      for (int round = 1; round <= 3; round++) {
        for (SimBlock block : withLogs) {
          assertThat(client.call("eth_getLogs", logsOf(block)).getJsonArray("result")).isNotEmpty();
        }
        client.raw(both.encode());
        int answered = round;
        Await.until(() -> assertThat(client.messages()).hasSize(answered));
        assertThat(client.messages().getLast().getJsonArray("batch").encode())
            .containsOnlyOnce("Too many long answers at once")
            .containsOnlyOnce(large.data());
      }
    }
  }

  private static JsonObject logsOf(SimBlock block) {
    return new JsonObject().put("blockHash", block.hash());
  }

  private static JsonObject call(int id, String method, Object param) {
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("id", id)
        .put("method", method)
        .put("params", new JsonArray().add(param));
  }

  @Test
  void aMessageOfSixteenMebibytesIsReadAndALongerOneIsNot() {
    SubscriptionRig rig = scene.process(Map.of());
    SocketClient client = connect(rig);
    client.raw(padded(SIXTEEN_MEBIBYTES));
    Await.until(() -> assertThat(client.answered(77)).isTrue());
    assertThat(client.answer(77).getString("result")).isEqualTo("0x1");
    String longer = padded(SIXTEEN_MEBIBYTES + 1);
    client.frame(WebSocketFrame.textFrame(longer.substring(1), false));
    client.frame(WebSocketFrame.continuationFrame(Buffer.buffer(longer.substring(0, 1)), true));
    Await.until(() -> assertThat(client.closeCode()).isEqualTo(1009));
    assertThat(connect(rig).result("eth_chainId")).isEqualTo("0x1");
  }

  private static String padded(int bytes) {
    String call = "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"eth_chainId\",\"params\":[]}";
    return " ".repeat(bytes - call.length()) + call;
  }

  @Test
  void aClientThatAnswersNoPingsIsClosed() throws Exception {
    SubscriptionRig rig = scene.process(Map.of("LASSO_WS_PING", "100ms"));
    SocketClient alive = connect(rig);
    try (Socket raw = RawWebSocket.ask(rig.port(), "/ws/rpc/ethereum")) {
      raw.setSoTimeout(30_000);
      DataInputStream in = new DataInputStream(raw.getInputStream());
      skipHead(in);
      int pings = 0;
      int first = in.readUnsignedByte();
      while (first != CLOSE_FRAME) {
        pings++;
        in.skipNBytes(in.readUnsignedByte());
        first = in.readUnsignedByte();
      }
      assertThat(pings).isEqualTo(2);
      in.readUnsignedByte();
      assertThat(in.readUnsignedShort()).isEqualTo(1008);
    }
    assertThat(alive.result("eth_chainId")).isEqualTo("0x1");
  }

  private static void skipHead(DataInputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      head.append((char) in.readUnsignedByte());
    }
  }

  @Test
  void f045EveryFrameIsWholeWhileAnswersErrorsAndEventsMix() {
    SubscriptionRig rig = scene.process(Map.of());
    SocketClient client = connect(rig);
    String heads = client.subscribe("newHeads");
    List<Integer> asked = new ArrayList<>();
    List<SimBlock> mined = new ArrayList<>();
    int nonsense = 0;
    for (int i = 0; i < 200; i++) {
      client.raw("{nonsense");
      nonsense++;
      asked.add(client.send("eth_chainId"));
      asked.add(client.send("made_up"));
      if (i % 4 == 0) {
        mined.addAll(scene.mine(1));
      }
    }
    int refused = nonsense;
    Await.until(
        () -> {
          assertThat(asked).allMatch(client::answered);
          assertThat(client.messages().stream().filter(message -> message.containsKey("error")))
              .hasSize(refused)
              .allMatch(message -> message.getJsonObject("error").getInteger("code") == -32700);
          assertThat(client.events(heads).stream().map(head -> head.getString("hash")))
              .containsExactlyElementsOf(mined.stream().map(SimBlock::hash).toList());
        });
    assertThat(client.messages()).hasSize(refused + mined.size());
    assertThat(client.closeCode()).isEqualTo(SocketClient.OPEN);
  }

  @Test
  void f046ASlowCallHoldsUpNoQuickOne() {
    SubscriptionRig rig = scene.process(Map.of());
    for (String provider : List.of("one", "two")) {
      scene.simulation.provider(provider).faults().pin("delay:20s methods=eth_getBalance");
    }
    SocketClient client = connect(rig);
    String heads = client.subscribe("newHeads");
    int slow =
        client.send("eth_getBalance", "0x00000000000000000000000000000000000000aa", "latest");
    for (int i = 0; i < 10; i++) {
      assertThat(client.result("eth_chainId")).isEqualTo("0x1");
    }
    assertThat(client.result("eth_unsubscribe", heads)).isEqualTo(true);
    assertThat(client.answered(slow)).isFalse();
  }

  @Test
  void f048WithoutAProviderThereIsAnErrorAndNoId() {
    SubscriptionRig rig = scene.process(Map.of());
    for (String provider : List.of("one", "two")) {
      scene.simulation.provider(provider).faults().pin("http:503");
    }
    SocketClient client = connect(rig);
    for (String kind : List.of("newHeads", "logs")) {
      JsonObject answer = client.call("eth_subscribe", kind);
      assertThat(answer.containsKey("result")).isFalse();
      assertThat(answer.getJsonObject("error").getString("message")).contains("head is not known");
    }
    for (String provider : List.of("one", "two")) {
      scene.simulation.provider(provider).faults().clear();
    }
    Await.until(() -> client.subscribe("newHeads"));
  }
}
