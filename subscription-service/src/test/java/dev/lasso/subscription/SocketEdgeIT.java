package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** WebSocket clients of one or two processes: takeovers, slow readers, limits, the end. */
@ExtendWith(BrokerExtension.class)
class SocketEdgeIT {
  private static final AtomicInteger TESTS = new AtomicInteger();

  private final String bootstrap;
  private final String prefix;
  private final Path directory;
  private ChainScene scene;

  SocketEdgeIT(TestBroker broker, @TempDir Path directory) {
    this.bootstrap = broker.bootstrapServers();
    this.prefix = broker.topicPrefix() + TESTS.incrementAndGet() + ".";
    this.directory = directory;
    this.scene = new ChainScene(bootstrap, prefix, directory, 0);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private static SocketClient connect(SubscriptionRig rig) {
    return SocketClient.connect(rig.context.vertx(), rig.port());
  }

  private static List<String> hashes(List<SimBlock> blocks) {
    return blocks.stream().map(SimBlock::hash).toList();
  }

  private static void awaitHeads(SocketClient client, String subscription, List<String> hashes) {
    Await.until(
        () ->
            assertThat(client.events(subscription).stream().map(head -> head.getString("hash")))
                .containsExactlyElementsOf(hashes));
  }

  @Test
  void clientsOfTheOtherProcessSeeNoTakeover() {
    SubscriptionRig owner = scene.process(Map.of());
    Await.until(() -> assertThat(owner.assignment()).hasSize(2));
    SubscriptionRig other = scene.process(Map.of());
    SocketClient client = connect(other);
    String heads = client.subscribe("newHeads");
    List<SimBlock> mined = new ArrayList<>(scene.mine(3));
    awaitHeads(client, heads, hashes(mined));

    SocketClient ofTheOwner = connect(owner);
    String resumable = ofTheOwner.subscribe("newHeads");
    mined.addAll(scene.mine(1));
    awaitHeads(ofTheOwner, resumable, List.of(mined.getLast().hash()));
    String last = mined.getLast().hash();
    owner.close();
    Await.until(() -> assertThat(other.assignment()).hasSize(2));
    List<SimBlock> after = scene.mine(3);
    mined.addAll(after);
    awaitHeads(client, heads, hashes(mined));

    SocketClient again = connect(other);
    String resumed =
        again.subscribe(
            "newHeads", new JsonObject().put("resume", new JsonObject().put("blockHash", last)));
    awaitHeads(again, resumed, hashes(after));
  }

  @Test
  void aQuietChainGoesOnAfterATakeoverThoughOthersFilledThePartition() {
    Map<String, String> settings = Map.of("LASSO_STREAM_WINDOW", "32");
    SubscriptionRig owner = scene.process(settings);
    Await.until(() -> assertThat(owner.assignment()).hasSize(2));
    SubscriptionRig other = scene.process(settings);
    SocketClient client = connect(other);
    String heads = client.subscribe("newHeads");
    List<SimBlock> mined = new ArrayList<>(scene.mine(3));
    awaitHeads(client, heads, hashes(mined));

    scene.writeOfABusyChain(600);
    owner.close();
    Await.until(() -> assertThat(other.assignment()).hasSize(2));
    scene.seeAgain();
    mined.addAll(scene.mine(2));
    awaitHeads(client, heads, hashes(mined));
    String resumed =
        client.subscribe(
            "newHeads",
            new JsonObject()
                .put("resume", new JsonObject().put("blockHash", mined.getFirst().hash())));
    awaitHeads(client, resumed, hashes(mined.subList(1, mined.size())));
  }

  @Test
  void anOwnerThatWasReplacedWritesNothingMore() {
    SubscriptionRig rig = scene.process(Map.of());
    SocketClient client = connect(rig);
    String heads = client.subscribe("newHeads");
    List<SimBlock> mined = new ArrayList<>(scene.mine(2));
    awaitHeads(client, heads, hashes(mined));
    for (int partition = 0; partition < 2; partition++) {
      try (Producer<byte[], byte[]> fencing =
          rig.context.kafka().transactionalProducer("fencing", prefix + "canonical-" + partition)) {
        fencing.initTransactions();
      }
    }
    mined.addAll(scene.mine(3));
    awaitHeads(client, heads, hashes(mined));
  }

  @Test
  void aSlowReaderIsClosedAndResumesWhileNobodyElseWaits() {
    SubscriptionRig rig = scene.process(Map.of("LASSO_WS_MAX_QUEUE_BYTES", "65536"));
    List<SocketClient> others = new ArrayList<>();
    List<String> theirs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      SocketClient other = connect(rig);
      others.add(other);
      theirs.add(other.subscribe("newHeads"));
    }
    SocketClient slow = connect(rig);
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(slow.subscribe("newHeads"));
    }
    List<SimBlock> mined = new ArrayList<>(scene.mine(1));
    awaitHeads(slow, many.getLast(), hashes(mined));
    slow.socket.pause();
    for (int i = 0; i < 150; i++) {
      mined.addAll(scene.mine(1));
    }
    for (int i = 0; i < others.size(); i++) {
      awaitHeads(others.get(i), theirs.get(i), hashes(mined));
    }
    slow.socket.resume();
    Await.until(() -> assertThat(slow.closeCode()).isEqualTo(1008));
    List<String> told =
        slow.events(many.getFirst()).stream().map(head -> head.getString("hash")).toList();
    assertThat(hashes(mined))
        .startsWith(told.toArray(String[]::new))
        .hasSizeGreaterThan(told.size());

    SocketClient again = connect(rig);
    String resumed =
        again.subscribe(
            "newHeads",
            new JsonObject().put("resume", new JsonObject().put("blockHash", told.getLast())));
    awaitHeads(again, resumed, hashes(mined.subList(told.size(), mined.size())));
  }

  @Test
  void limitsAreToldClearly() {
    SubscriptionRig rig =
        scene.process(Map.of("LASSO_WS_MAX_SUBSCRIPTIONS", "2", "LASSO_WS_MAX_CONNECTIONS", "2"));
    SocketClient client = connect(rig);
    client.subscribe("newHeads");
    String second = client.subscribe("newHeads");
    assertThat(client.call("eth_subscribe", "newHeads").getJsonObject("error").getString("message"))
        .isEqualTo("No more than 2 subscriptions on one socket");
    assertThat(client.result("eth_unsubscribe", second)).isEqualTo(true);
    client.subscribe("newHeads");
    connect(rig);
    Assertions.assertThatThrownBy(() -> connect(rig))
        .isInstanceOf(UpgradeRejectedException.class)
        .hasMessageContaining("503");
  }

  @Test
  void callsOnSocketsCountAgainstTheProfilesLimit() {
    scene.close();
    scene = new ChainScene(bootstrap, prefix + "limited.", directory, 5);
    SubscriptionRig rig = scene.process(Map.of());
    SocketClient client = connect(rig);
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ids.add(client.send("eth_chainId"));
    }
    Await.until(() -> assertThat(ids).allMatch(client::answered));
    assertThat(ids.stream().map(client::answer).filter(answer -> answer.containsKey("error")))
        .isNotEmpty()
        .allMatch(answer -> answer.getJsonObject("error").getInteger("code") == -32005);
    assertThat(client.answer(ids.getFirst()).getString("result")).isEqualTo("0x1");
  }

  @Test
  void aMessageInFragmentsWithPingsBetweenIsOneMessage() {
    SubscriptionRig rig = scene.process(Map.of());
    SocketClient client = connect(rig);
    client.frame(WebSocketFrame.textFrame("{\"jsonrpc\":\"2.0\",\"id\":77,\"met", false));
    client.ping();
    client.frame(WebSocketFrame.continuationFrame(Buffer.buffer("hod\":\"eth_chainId\","), false));
    client.ping();
    client.frame(WebSocketFrame.continuationFrame(Buffer.buffer("\"params\":[]}"), true));
    Await.until(() -> assertThat(client.answered(77)).isTrue());
    assertThat(client.answer(77).getString("result")).isEqualTo("0x1");
  }

  @Test
  void aStoppingProcessSaysThatItGoesAway() {
    SubscriptionRig rig = scene.process(Map.of());
    SubscriptionRig other = scene.process(Map.of());
    // on the other's event loops, which outlive the process that stops
    SocketClient client = SocketClient.connect(other.context.vertx(), rig.port());
    client.subscribe("newHeads");
    rig.close();
    Await.until(() -> assertThat(client.closeCode()).isEqualTo(1001));
  }
}
