package dev.lasso.simulator;

import static dev.lasso.simulator.Clients.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.Clients.Socket;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import java.io.IOException;
import java.net.http.WebSocketHandshakeException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls, subscriptions and faults as a WebSocket client meets them. */
class WebSocketFaultsIT {

  private final Clients clients = new Clients();
  private final Simulation simulation =
      Simulation.builder()
          .chain(ChainSpec.of("test", 1).withInitialBlocks(10))
          .provider(ProviderSpec.of("a", "test"))
          .mineByCommandOnly()
          .build();
  private final SimProvider provider = simulation.provider("a");
  private final SimChain chain = simulation.chain("test");

  @BeforeEach
  void start() {
    simulation.start().await();
  }

  @AfterEach
  void stop() {
    simulation.close();
  }

  private static String subscribe(Socket socket) throws IOException, InterruptedException {
    return socket.rpc("eth_subscribe", "[\"newHeads\"]").get("result").asText();
  }

  @Test
  void answersCallsAndBatches() throws Exception {
    try (Socket socket = clients.open(provider)) {
      assertThat(socket.rpc("eth_blockNumber", "[]").get("result").asText()).isEqualTo("0xa");
      socket.send("[" + call("eth_chainId", "[]") + "," + call("net_version", "[]") + "]");
      assertThat(socket.takeJson()).hasSize(2);
      assertThat(provider.stats().webSockets()).isEqualTo(1);
    }
    await().until(() -> provider.stats().webSockets() == 0);
  }

  @Test
  void announcesHeadsUntilUnsubscribed() throws Exception {
    try (Socket socket = clients.open(provider)) {
      String id = subscribe(socket);
      List<SimBlock> mined = chain.mine(3);

      for (SimBlock block : mined) {
        JsonNode event = socket.takeJson();
        assertThat(event.get("method").asText()).isEqualTo("eth_subscription");
        assertThat(event.get("params").get("subscription").asText()).isEqualTo(id);
        assertThat(event.get("params").get("result").get("hash").asText()).isEqualTo(block.hash());
      }
      assertThat(provider.stats().subscriptions()).isEqualTo(1);
      JsonNode answer = socket.rpc("eth_unsubscribe", "[\"" + id + "\"]");
      assertThat(answer.get("result").asBoolean()).isTrue();
      chain.mine();
      assertThat(socket.rpc("eth_blockNumber", "[]").get("result").asText()).isEqualTo("0xe");
      assertThat(socket.isQuiet()).isTrue();
    }
  }

  @Test
  void aClosedSocketEndsItsSubscriptions() throws Exception {
    try (Socket socket = clients.open(provider)) {
      subscribe(socket);
    }
    await().until(() -> provider.stats().subscriptions() == 0);
  }

  @Test
  void aDelayedAcknowledgementComesAfterEvents() throws Exception {
    provider.faults().pin("delay:300ms methods=eth_subscribe");
    try (Socket socket = clients.open(provider)) {
      socket.send(call("eth_subscribe", "[\"newHeads\"]"));
      await().until(() -> provider.stats().subscriptions() == 1);
      chain.mine();

      assertThat(socket.takeJson().has("params")).isTrue();
      assertThat(socket.takeJson().has("result")).isTrue();
    }
  }

  @Test
  void upgradesFailWithTheStatusOfTheFault() {
    provider.faults().pin("http:503 on=ws");
    assertThatThrownBy(() -> clients.open(provider))
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            failure -> assertThat(failure.getResponse().statusCode()).isEqualTo(503));
  }

  @Test
  void openSocketsCloseWithTryAgainLater() {
    try (Socket socket = clients.open(provider)) {
      provider.faults().pin("http:503");
      socket.send(call("eth_blockNumber", "[]"));
      assertThat(socket.closeCode()).isEqualTo(1013);
    }
  }

  @Test
  void resetBreaksTheConnection() {
    try (Socket socket = clients.open(provider)) {
      provider.faults().pin("reset");
      socket.send(call("eth_blockNumber", "[]"));
      assertThat(socket.closeCode()).isIn(-1, 1006);
    }
  }

  /** The JDK's client does not always report an end within a message, so the server is asked. */
  @Test
  void truncatedEndsTheConnectionWithinAMessage() {
    try (Socket socket = clients.open(provider)) {
      provider.faults().pin("truncated");
      socket.send(call("eth_blockNumber", "[]"));
      await().until(() -> provider.stats().connections() == 0);
      assertThat(socket.isQuiet()).isTrue();
    }
  }

  @Test
  void refuseEndsOpenSockets() {
    try (Socket socket = clients.open(provider)) {
      provider.faults().pin("refuse");
      assertThat(socket.closeCode()).isNotEqualTo(1000);
    }
  }

  @Test
  void rateLimitsAreJsonRpcErrors() throws Exception {
    provider.faults().pin("rateLimited:3s methods=eth_*");
    try (Socket socket = clients.open(provider)) {
      JsonNode error = socket.rpc("eth_blockNumber", "[]").get("error");
      assertThat(error.get("code").asInt()).isEqualTo(-32005);
      assertThat(error.get("data").get("retry_after_ms").asInt()).isEqualTo(3000);
    }
  }

  @Test
  void hangLeavesOtherCallsAlone() throws Exception {
    provider.faults().pin("hang methods=eth_chainId");
    try (Socket socket = clients.open(provider)) {
      socket.send(call("eth_chainId", "[]"));
      assertThat(socket.rpc("eth_blockNumber", "[]").get("result").asText()).isEqualTo("0xa");
      assertThat(provider.stats().inFlight()).isEqualTo(1);
    }
    await().until(() -> provider.stats().inFlight() == 0);
  }

  @Test
  void slowBodiesComeInFragmentsWithPingsBetween() throws Exception {
    provider.faults().pin("slowBody:200");
    try (Socket socket = clients.open(provider)) {
      JsonNode reply = socket.rpc("web3_clientVersion", "[]");
      assertThat(reply.get("result").asText()).startsWith("Geth/");
      assertThat(socket.fragments.get()).isGreaterThan(2);
      assertThat(socket.pings.get()).isGreaterThan(1);
    }
  }

  @Test
  void largeRepliesAndEventsDoNotMix() throws Exception {
    try (Socket socket = clients.open(provider)) {
      subscribe(socket);
      int size = 4 * 1024 * 1024;
      socket.send(call("debug_traceBlockByNumber", "[\"latest\",{\"simBytes\":" + size + "}]"));
      chain.mine(20);

      int events = 0;
      int replies = 0;
      while (events < 20 || replies < 1) {
        String message = socket.take();
        assertThat(Clients.JSON.readTree(message).isObject()).isTrue();
        if (message.contains("eth_subscription")) {
          events++;
        } else {
          replies++;
          assertThat(message).hasSizeGreaterThan(size);
        }
      }
    }
  }

  @Test
  void droppedSubscriptionsCanTakeTheirSocketAlong() throws Exception {
    provider.faults().pin("dropSubscription:close count=1");
    try (Socket socket = clients.open(provider)) {
      subscribe(socket);
      chain.mine();
      assertThat(socket.closeCode()).isEqualTo(1011);
    }
  }
}
