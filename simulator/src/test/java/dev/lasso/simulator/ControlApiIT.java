package dev.lasso.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.fault.Fault;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Breaking and mending a simulation from outside. */
class ControlApiIT {

  private final Clients clients = new Clients();
  private final Simulation simulation =
      Simulation.builder()
          .chain(ChainSpec.of("test", 1).withInitialBlocks(10))
          .provider(ProviderSpec.of("a", "test"))
          .provider(ProviderSpec.of("b", "test"))
          .mineByCommandOnly()
          .build();
  private final SimProvider provider = simulation.provider("a");

  @BeforeEach
  void start() {
    simulation.start().await();
  }

  @AfterEach
  void stop() {
    simulation.close();
  }

  private HttpResponse<String> control(String verb, String path, String body)
      throws IOException, InterruptedException {
    return clients.send(verb, provider.httpUrl() + "/_sim/" + path, body, Clients.DEADLINE);
  }

  private JsonNode json(String verb, String path, String body)
      throws IOException, InterruptedException {
    return Clients.JSON.readTree(control(verb, path, body).body());
  }

  @Test
  void faultsArePinnedListedAndCleared() throws Exception {
    JsonNode pinned = json("POST", "faults", "http:503 p=0.5\nhang methods=eth_call\n");
    assertThat(pinned.get("faults")).hasSize(2);
    json("POST", "faults", "{\"fault\": \"reset on=ws\"}");

    JsonNode one = json("DELETE", "faults/" + pinned.get("faults").get(0).get("id"), "");
    assertThat(one.get("faults")).hasSize(2);
    assertThat(json("DELETE", "faults", "").get("faults")).isEmpty();
    assertThat(provider.faults().inForce()).isEmpty();
  }

  @Test
  void mistakesAreExplainedAndChangeNothing() throws Exception {
    HttpResponse<String> response = control("POST", "faults", "hang\nexplode");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("unknown fault 'explode'");
    assertThat(provider.faults().inForce()).isEmpty();
    assertThat(control("POST", "faults", "").statusCode()).isEqualTo(400);
    assertThat(control("DELETE", "faults/99", "").body()).contains("no fault 99 is in force");
    assertThat(control("GET", "faults?provider=c", "").body()).contains("there are a, b");
    assertThat(control("GET", "nothing", "").statusCode()).isEqualTo(404);
    assertThat(control("POST", "fork?n=500", "").body()).contains("between 1 and 10");
  }

  @Test
  void aClosedPortIsOpenedThroughAnotherProvider() throws Exception {
    assertThat(control("POST", "faults?provider=b", "refuse").statusCode()).isEqualTo(200);
    assertThat(simulation.provider("b").faults().standing(Fault.Refuse.class)).hasSize(1);
    control("DELETE", "faults?provider=b", "");

    await()
        .ignoreExceptions()
        .until(() -> clients.rpc(simulation.provider("b"), "eth_chainId", "[]").has("result"));
  }

  @Test
  void chainsAreMinedForkedPausedAndResumed() throws Exception {
    assertThat(json("POST", "mine?n=3", "").get("number").asLong()).isEqualTo(13);
    assertThat(json("POST", "fork?n=2", "").get("number").asLong()).isEqualTo(14);
    assertThat(json("POST", "rewind?n=4", "").get("number").asLong()).isEqualTo(10);
    assertThat(json("POST", "pause", "").get("paused").asBoolean()).isTrue();
    assertThat(json("POST", "resume", "").get("paused").asBoolean()).isFalse();
    assertThat(json("GET", "chain", "").get("hash").asText())
        .isEqualTo(simulation.chain("test").head().hash());
  }

  @Test
  void statsAndRequestsTellWhatHappened() throws Exception {
    clients.rpc(provider, "eth_chainId", "[]");
    clients.rpc(provider, "eth_getBlockByNumber", "[\"latest\", false]");

    JsonNode stats = json("GET", "stats", "");
    assertThat(stats.get("requests").asLong()).isEqualTo(2);
    assertThat(stats.get("requestsByMethod").get("eth_chainId").asLong()).isEqualTo(1);
    assertThat(json("GET", "requests", "").get("requests").get(1).get("params").get(0).asText())
        .isEqualTo("latest");
  }
}
