package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Equal reads in flight, on all event loops, share one upstream request. */
class CoalescingIT {
  private static final int CALLERS = 200;
  private static final String RESULT = "{\"number\":\"0x10\",\"hash\":\"0xaa\"}";

  private TestGateway gateway;
  private final AtomicReference<ScriptedProvider.Call> held = new AtomicReference<>();

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start();
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
  }

  private static String request(int id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":\"caller-"
        + String.format("%03d", id)
        + "\",\"method\":\"eth_getBlockByNumber\",\"params\":[\"0x10\",false]}";
  }

  private List<CompletableFuture<Reply>> askTogether() {
    List<CompletableFuture<Reply>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(gateway.send("/rpc/ethereum", request(i)));
    }
    // a request's bytes are held until it is answered: now all of them wait
    Await.until(
        () ->
            assertThat(gateway.parts.limits().inFlightBytes().taken())
                .isEqualTo((long) CALLERS * request(0).length()));
    return callers;
  }

  @Test
  void twoHundredEqualReadsCauseOneRequest() throws Exception {
    ScriptedProvider u1 = ScriptedProvider.start(gateway.vertx, held::set);
    gateway.serving(TestGateway.providers(u1));
    List<CompletableFuture<Reply>> callers = askTogether();
    held.get().result(RESULT);
    for (int i = 0; i < CALLERS; i++) {
      Reply reply = callers.get(i).get(60, TimeUnit.SECONDS);
      assertThat(reply.text())
          .isEqualTo(
              "{\"jsonrpc\":\"2.0\",\"id\":\"caller-"
                  + String.format("%03d", i)
                  + "\",\"result\":"
                  + RESULT
                  + "}");
    }
    assertThat(u1.calls()).hasSize(1);
    assertThat(gateway.parts.reads().coalescing().size()).isZero();
    assertThat(gateway.parts.limits().inFlightBytes().taken()).isZero();
  }

  @Test
  void aCallerWhoLeavesTakesNobodyAlong() throws Exception {
    ScriptedProvider u1 = ScriptedProvider.start(gateway.vertx, held::set);
    gateway.serving(TestGateway.providers(u1));
    List<CompletableFuture<Reply>> callers = askTogether();
    for (int i = 0; i < CALLERS; i += 2) {
      callers.get(i).cancel(true);
    }
    Await.until(
        () ->
            assertThat(gateway.parts.limits().inFlightBytes().taken())
                .isEqualTo((long) CALLERS / 2 * request(0).length()));
    held.get().result(RESULT);
    for (int i = 1; i < CALLERS; i += 2) {
      assertThat(callers.get(i).get(60, TimeUnit.SECONDS).text()).endsWith(RESULT + "}");
    }
    assertThat(u1.calls()).hasSize(1);
  }
}
