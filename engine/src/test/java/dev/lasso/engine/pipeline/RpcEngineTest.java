package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.pipeline.EngineScene.Asked;
import dev.lasso.engine.pipeline.EngineScene.Caller;
import dev.lasso.engine.pipeline.EngineScene.Streamed;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.testkit.Await;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RpcEngineTest {
  private static final Vertx VERTX = Vertx.vertx();
  private static final String RAW = "[\"0x02f8\"]";
  private static final String RAW_HASH =
      "\"0x"
          + java.util.HexFormat.of()
              .formatHex(dev.lasso.routing.Keccak256.hash(new byte[] {0x02, (byte) 0xf8}))
          + "\"";

  @AfterAll
  static void close() {
    VERTX.close();
  }

  private static EngineScene scene(String... providers) {
    return new EngineScene(VERTX, providers);
  }

  private static EngineScene scene(boolean recheckNull, int broadcast, String... providers) {
    return new EngineScene(
        VERTX,
        RoutingSettings.of(StrategyName.PRIORITY, Map.of(), recheckNull, Hedge.OFF, broadcast),
        providers);
  }

  @Test
  void passesTheResultOnUnderTheCallersId() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("18446744073709551615", "eth_call", "[{}]");
    Asked asked = scene.at("a");
    assertThat(asked.request.call().params()).hasToString("[{}]");
    asked.result("\"0x1\"");
    caller.hasResult("18446744073709551615", "\"0x1\"");
    assertThat(scene.asked()).containsExactly("a");
    assertThat(scene.inFlight("a")).isZero();
    assertThat(scene.decisions)
        .extracting(RoutingDecision::outcome)
        .containsExactly(RoutingDecision.Outcome.ANSWERED);
  }

  @Test
  void oneAttemptMayTakeMostOfTheDeadlineWhileOthersRemain() {
    EngineScene scene = scene("a", "b");
    scene.call("eth_call", "[{}]");
    assertThat(scene.at("a").request.timeoutMs()).isEqualTo(3_000);
    EngineScene single = scene("a");
    single.call("eth_call", "[{}]");
    assertThat(single.at("a").request.timeoutMs()).isBetween(4_000L, 5_000L);
  }

  @Test
  void failsOverAndTellsWhatFailedWhenNobodyIsLeft() {
    EngineScene scene = scene("a", "b", "c");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").fails(TransportFault.TIMEOUT, true);
    scene.at("b").error(429, "Too many requests");
    scene.at("c").status(502, "<html>bad gateway</html>");
    assertThat(scene.asked()).containsExactly("a", "b", "c");
    assertThat(caller.info().httpStatus()).isEqualTo(503);
    caller.hasError(-32000);
    assertThat(caller.answer())
        .contains("\"provider\":\"a\",\"transport\":\"http\",\"error\":\"timeout\"")
        .contains("\"error\":\"rate_limit\"")
        .contains("\"error\":\"server_error\"");
    assertThat(scene.attempts).hasSize(3);
  }

  @Test
  void aSecondTransportIsTriedAfterTheOtherProviders() {
    EngineScene scene = scene("a+ws", "b+ws");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").error(429, "Too many requests");
    scene.at("b").error(429, "Too many requests");
    scene.at("a").error(429, "Too many requests");
    scene.at("b").result("7");
    assertThat(scene.asked()).containsExactly("a", "b", "a", "b");
    caller.hasResult("1", "7");
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMEOUT", "CLOSED", "REFUSED"})
  void aProviderThatGivesNoAnswerIsAskedAgainAfterEverybodyElse(TransportFault fault) {
    EngineScene scene = scene("a+ws", "b+ws", "c+ws");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").fails(fault, true);
    scene.at("b").error(429, "Too many requests");
    scene.at("c").error(429, "Too many requests");
    scene.at("b").result("7");
    assertThat(scene.asked()).containsExactly("a", "b", "c", "b");
    caller.hasResult("1", "7");
  }

  @Test
  void theOtherTransportOfTheOnlyProviderIsTried() {
    EngineScene scene = scene("a+ws");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").fails(TransportFault.TIMEOUT, true);
    scene.at("a").result("7");
    caller.hasResult("1", "7");
  }

  @Test
  void asksAtMostFourChannels() {
    EngineScene scene = scene("a", "b", "c", "d", "e", "f");
    Caller caller = scene.call("eth_call", "[{}]");
    for (String provider : new String[] {"a", "b", "c", "d"}) {
      scene.at(provider).fails(TransportFault.REFUSED, false);
    }
    assertThat(caller.answered()).isTrue();
    assertThat(scene.asked()).hasSize(4);
  }

  @Test
  void anErrorThatEveryProviderWouldGiveIsFinal() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").error(-32602, "invalid argument 0: hex string without 0x prefix");
    caller.hasError(-32602);
    assertThat(scene.asked()).containsExactly("a");
  }

  @Test
  void anUnknownErrorIsBelievedOnceAnotherProviderGivesTheSameCode() {
    EngineScene scene = scene("a", "b", "c");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").error(-39999, "flux capacitor");
    assertThat(caller.answered()).isFalse();
    scene.at("b").error(-39999, "flux capacitor");
    caller.hasError(-39999);
    assertThat(scene.asked()).containsExactly("a", "b");
  }

  @Test
  void anUnknownErrorIsForgottenWhenAnotherProviderAnswers() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").error(-39999, "flux capacitor");
    scene.at("b").result("\"0x2\"");
    caller.hasResult("1", "\"0x2\"");
  }

  @Test
  void aRefusalWithoutJsonRpcIsToldInOurWordsWhenNobodyAnswers() {
    EngineScene scene = scene("a");
    Caller caller = scene.call("eth_call", "[{}]");
    scene.at("a").status(413, "Request Entity Too Large");
    assertThat(caller.info().httpStatus()).isIn(200, 503);
    assertThat(caller.answer()).contains("\"error\"");
    EngineScene two = scene("a", "b");
    Caller other = two.call("eth_call", "[{}]");
    two.at("a").status(400, "Bad Request");
    two.at("b").result("1");
    other.hasResult("1", "1");
  }

  @ParameterizedTest
  @CsvSource({"true,TIMEOUT,1", "true,CLOSED,1", "false,BUSY,2", "false,REFUSED,2"})
  void whatMayHaveActedIsNotRepeated(boolean sent, TransportFault fault, int attempts) {
    EngineScene scene = scene("a", "b");
    scene.call("vendor_doSomething", "[]");
    scene.at("a").fails(fault, sent);
    assertThat(scene.asked()).hasSize(attempts);
  }

  @Test
  void aTransactionIsSentAgainAndAlreadyKnownIsItsHash() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("eth_sendRawTransaction", RAW);
    assertThat(scene.at("a").request.replaySafe()).isFalse();
    EngineScene again = scene("a", "b");
    Caller second = again.call("eth_sendRawTransaction", RAW);
    again.at("a").fails(TransportFault.TIMEOUT, true);
    again.at("b").error(-32000, "already known");
    second.hasResult("1", RAW_HASH);
    assertThat(caller.answered()).isFalse();
  }

  @Test
  void aUsedNonceIsTheHashOfATransactionThatTheProviderKnows() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("eth_sendRawTransaction", RAW);
    scene.at("a").error(-32000, "nonce too low");
    Asked lookup = scene.at("a");
    assertThat(lookup.request.call().method()).isEqualTo("eth_getTransactionByHash");
    assertThat(lookup.request.call().params()).hasToString("[" + RAW_HASH + "]");
    lookup.result("{\"hash\":" + RAW_HASH + "}");
    caller.hasResult("1", RAW_HASH);

    EngineScene other = scene("a", "b");
    Caller refused = other.call("eth_sendRawTransaction", RAW);
    other.at("a").error(-32000, "nonce too low");
    other.at("a").result("null");
    refused.hasError(-32000);
  }

  @Test
  void aBroadcastReachesSeveralProvidersAndTheFirstSuccessAnswers() {
    EngineScene scene = scene(true, 3, "a", "b", "c", "d");
    Caller caller = scene.call("eth_sendRawTransaction", RAW);
    assertThat(scene.asked()).containsExactly("a", "b", "c");
    scene.at("a").error(-32000, "insufficient funds for gas * price + value");
    assertThat(caller.answered()).isFalse();
    scene.at("b").result(RAW_HASH);
    caller.hasResult("1", RAW_HASH);
    Asked last = scene.at("c");
    assertThat(last.cancelled).isFalse();
    last.result(RAW_HASH);
    assertThat(scene.inFlight("c")).isZero();
    assertThat(scene.asked()).hasSize(3);
  }

  @Test
  void aBroadcastThatEverybodyRefusesGivesTheRefusal() {
    EngineScene scene = scene(true, 2, "a", "b", "c");
    Caller caller = scene.call("eth_sendRawTransaction", RAW);
    scene.at("a").error(-32000, "insufficient funds for gas * price + value");
    scene.at("b").error(-32000, "insufficient funds for gas * price + value");
    caller.hasError(-32000);
    assertThat(caller.answer()).contains("insufficient funds");
    assertThat(scene.asked()).hasSize(2);
  }

  @Test
  void aNullIsAskedForOnceMoreBeforeItIsBelieved() {
    String params = "[\"0x" + "11".repeat(32) + "\"]";
    EngineScene found = scene(true, 1, "a", "b", "c");
    Caller caller = found.call("eth_getTransactionReceipt", params);
    found.at("a").result("null");
    assertThat(caller.answered()).isFalse();
    found.at("b").result("{\"status\":\"0x1\"}");
    caller.hasResult("1", "{\"status\":\"0x1\"}");

    EngineScene missing = scene(true, 1, "a", "b", "c");
    Caller second = missing.call("eth_getTransactionReceipt", params);
    missing.at("a").result("null");
    missing.at("b").result("null");
    second.hasResult("1", "null");
    assertThat(missing.asked()).hasSize(2);

    EngineScene failing = scene(true, 1, "a", "b");
    Caller third = failing.call("eth_getTransactionReceipt", params);
    failing.at("a").result("null");
    failing.at("b").fails(TransportFault.TIMEOUT, true);
    third.hasResult("1", "null");

    EngineScene trusting = scene(false, 1, "a", "b");
    Caller fourth = trusting.call("eth_getTransactionReceipt", params);
    trusting.at("a").result("null");
    fourth.hasResult("1", "null");
  }

  @Test
  void aCallerWhoLeavesTakesItsAttemptAlong() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("eth_call", "[{}]");
    Asked asked = scene.at("a");
    assertThat(scene.inFlight("a")).isEqualTo(1);
    caller.leave();
    assertThat(asked.cancelled).isTrue();
    assertThat(scene.inFlight("a")).isZero();
    assertThat(scene.attempts)
        .extracting(attempt -> attempt.outcome() instanceof AttemptOutcome.Cancelled)
        .containsExactly(true);
    assertThat(scene.decisions)
        .extracting(RoutingDecision::outcome)
        .containsExactly(RoutingDecision.Outcome.CANCELLED);
    asked.result("1");
    assertThat(caller.answered()).isFalse();
  }

  @Test
  void aLargeResultIsRelayedPieceByPiece() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("debug_traceBlockByNumber", "[\"0x1\"]");
    Streamed stream = scene.at("a").streams("[1");
    caller.full = true;
    stream.reader().bytes(JsonSlice.of(",2"));
    assertThat(stream.pauses).isEqualTo(1);
    stream.reader().bytes(JsonSlice.of("]"));
    assertThat(scene.inFlight("a")).isEqualTo(1);
    stream.reader().complete();
    assertThat(caller.streamed).hasToString("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[1,2]}");
    assertThat(caller.ended).isTrue();
    assertThat(scene.inFlight("a")).isZero();
  }

  @Test
  void aBrokenStreamIsCountedOnceAndAborted() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("debug_traceBlockByNumber", "[\"0x1\"]");
    Streamed stream = scene.at("a").streams("[1");
    stream.reader().broken(TransportFault.CLOSED);
    assertThat(caller.aborted).isTrue();
    assertThat(caller.ended).isFalse();
    assertThat(scene.inFlight("a")).isZero();
    assertThat(scene.attempts).hasSize(1);
    assertThat(scene.attempts.getFirst().outcome().penalised()).isTrue();
  }

  @Test
  void aCallerWhoLeavesDuringAStreamEndsIt() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("debug_traceBlockByNumber", "[\"0x1\"]");
    Streamed stream = scene.at("a").streams("[1");
    caller.leave();
    caller.leave();
    assertThat(stream.cancelled).isTrue();
    assertThat(scene.inFlight("a")).isZero();
    assertThat(scene.attempts).hasSize(1);
  }

  @Test
  void answersWhatItKnowsAndRefusesWhatIsNobodysBusiness() {
    EngineScene scene = scene("a");
    scene.call("\"x\"", "eth_chainId", "[]").hasResult("\"x\"", "\"0x1\"");
    scene.call("2", "net_version", "[]").hasResult("2", "\"1\"");
    for (String method :
        new String[] {
          "eth_accounts",
          "ETH_SENDTRANSACTION",
          "admin_peers",
          "anvil_reset",
          "Eth_call",
          "eth_subscribe"
        }) {
      scene.call(method, "[]").hasError(-32601);
    }
    assertThat(scene.asked()).isEmpty();
  }

  @Test
  void aBatchKeepsOrderAndStartsOnOneChannel() {
    EngineScene scene = scene("a", "b");
    Caller caller =
        scene.batch(
            EngineScene.request("\"p\"", "eth_call", "[{}]"),
            "{\"jsonrpc\":\"2.0\",\"method\":\"eth_gasPrice\"}",
            "7",
            EngineScene.request("5", "eth_gasPrice", "[]"),
            EngineScene.request("5", "eth_chainId", "[]"));
    assertThat(scene.asked()).containsExactly("a", "a", "a");
    Asked first = scene.at("a");
    scene.at("a").result("\"silent\"");
    scene.at("a").result("\"0x5\"");
    first.error(3, "execution reverted");
    assertThat(caller.answer())
        .isEqualTo(
            "[{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"error\":{\"code\":3,\"message\":\"execution"
                + " reverted\"}},{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
                + "\"message\":\"Invalid request: a request is a JSON object\"}},"
                + "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":\"0x5\"},"
                + "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":\"0x1\"}]");
  }

  @Test
  void equalReadsInFlightShareOneAttempt() {
    EngineScene scene = scene("a", "b");
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      callers.add(scene.call(Integer.toString(i), "eth_getBlockByNumber", "[\"0x10\",false]"));
    }
    Caller other = scene.call("eth_getBlockByNumber", "[\"0x11\",false]");
    assertThat(scene.asked()).containsExactly("a", "a");
    scene.at("a").result("{\"number\":\"0x10\"}");
    for (int i = 0; i < 200; i++) {
      callers.get(i).hasResult(Integer.toString(i), "{\"number\":\"0x10\"}");
    }
    assertThat(other.answered()).isFalse();
    assertThat(scene.sharedCalls()).isEqualTo(1);
    assertThat(callers.stream().map(caller -> caller.info().requestId()).distinct()).hasSize(200);
    scene.call("eth_getBlockByNumber", "[\"0x10\",false]");
    assertThat(scene.asked()).hasSize(3);
  }

  @Test
  void sharersLeaveOneByOneAndTheLastTakesTheCallAlong() {
    EngineScene scene = scene("a", "b");
    Caller first = scene.call("1", "eth_call", "[{}]");
    Caller second = scene.call("2", "eth_call", "[{}]");
    Caller third = scene.call("3", "eth_call", "[{}]");
    Asked asked = scene.at("a");
    first.leave();
    assertThat(asked.cancelled).isFalse();
    second.leave();
    third.leave();
    assertThat(asked.cancelled).isTrue();
    assertThat(scene.sharedCalls()).isZero();
    assertThat(scene.inFlight("a")).isZero();
    scene.call("4", "eth_call", "[{}]");
    assertThat(scene.asked()).hasSize(2);
  }

  @Test
  void sharersShareErrorsAndQuickFailuresToo() {
    EngineScene scene = scene("a");
    Caller first = scene.call("1", "eth_call", "[{}]");
    Caller second = scene.call("2", "eth_call", "[{}]");
    scene.at("a").fails(TransportFault.REFUSED, false);
    first.hasError(-32000);
    second.hasError(-32000);
    assertThat(second.answer()).contains("\"id\":2");
    assertThat(scene.asked()).hasSize(1);
  }

  @Test
  void aLargeResultIsGatheredForAllSharers() {
    EngineScene scene = scene("a", "b");
    Caller first = scene.call("1", "eth_call", "[{}]");
    Caller second = scene.call("2", "eth_call", "[{}]");
    Streamed stream = scene.at("a").streams("\"0x");
    stream.reader().bytes(JsonSlice.of("ff"));
    Caller late = scene.call("3", "eth_call", "[{}]");
    first.leave();
    stream.reader().bytes(JsonSlice.of("\""));
    stream.reader().complete();
    second.hasResult("2", "\"0xff\"");
    late.hasResult("3", "\"0xff\"");
    assertThat(first.answered()).isFalse();
    assertThat(scene.asked()).containsExactly("a");
    assertThat(scene.inFlight("a")).isZero();
  }

  @Test
  void aVeryLargeResultFlowsToOneSharerAndTheOthersAskForThemselves() {
    EngineScene scene = scene("a", "b");
    Caller first = scene.call("1", "eth_call", "[{}]");
    Caller second = scene.call("2", "eth_call", "[{}]");
    Streamed stream = scene.at("a").streams("\"" + "x".repeat(2 << 20));
    stream.reader().bytes(JsonSlice.of("yz\""));
    stream.reader().complete();
    assertThat(first.streamed.toString()).startsWith("{\"jsonrpc\"").endsWith("yz\"}");
    assertThat(first.ended).isTrue();
    scene.at("a").result("\"0xff\"");
    second.hasResult("2", "\"0xff\"");
    assertThat(scene.inFlight("a")).isZero();
  }

  @Test
  void sharersOfABrokenLargeResultAskForThemselves() {
    EngineScene scene = scene("a", "b");
    Caller first = scene.call("1", "eth_call", "[{}]");
    Caller second = scene.call("2", "eth_call", "[{}]");
    Streamed stream = scene.at("a").streams("\"0x");
    stream.reader().broken(TransportFault.CLOSED);
    scene.at("a").result("1");
    scene.at("a").result("1");
    first.hasResult("1", "1");
    second.hasResult("2", "1");
    assertThat(first.aborted).isFalse();
  }

  @Test
  void leavingDuringASharedStreamEndsIt() {
    EngineScene scene = scene("a");
    Caller first = scene.call("1", "eth_call", "[{}]");
    Streamed stream = scene.at("a").streams("\"0x");
    first.leave();
    assertThat(stream.cancelled).isTrue();
    assertThat(scene.inFlight("a")).isZero();
  }

  @Test
  void aMistakeOfOursIsToldToTheCallerAndHoldsNobodyElse() {
    EngineScene scene = scene("a", "b");
    scene.breakOnce();
    Caller first = scene.call("1", "eth_call", "[{}]");
    first.hasError(-32603);
    assertThat(scene.sharedCalls()).isZero();

    Caller second = scene.call("2", "eth_call", "[{}]");
    scene.at("a").result("1");
    second.hasResult("2", "1");
  }

  @Test
  void whatIsPendingIsAlwaysAskedFor() {
    EngineScene scene = scene("a");
    Caller before = scene.call("1", "eth_getTransactionCount", "[\"0xab\",\"pending\"]");
    Caller after = scene.call("2", "eth_getTransactionCount", "[\"0xab\",\"pending\"]");
    scene.at("a").result("\"0x1\"");
    scene.at("a").result("\"0x2\"");
    before.hasResult("1", "\"0x1\"");
    after.hasResult("2", "\"0x2\"");
  }

  @Test
  void aUsedNonceIsTheHashOfALargeTransactionToo() {
    EngineScene scene = scene("a", "b");
    Caller caller = scene.call("eth_sendRawTransaction", RAW);
    scene.at("a").error(-32000, "nonce too low");
    scene.at("a").streams("{\"hash\":");
    caller.hasResult("1", RAW_HASH);
  }

  /** The clock of the machine decides, so it is waited for. */
  @Test
  void sharersOfALargeResultThatStallsAskForThemselvesInTime() {
    EngineScene scene = scene("a", "b");
    Caller first = scene.call("1", "eth_gasPrice", "[]");
    Caller second = scene.call("2", "eth_gasPrice", "[]");
    Streamed stalled = scene.at("a").streams("\"0x");

    Await.until(() -> assertThat(List.copyOf(scene.asked())).hasSize(3));
    assertThat(stalled.cancelled).isTrue();
    scene.at("a").result("1");
    scene.at("a").result("1");
    first.hasResult("1", "1");
    second.hasResult("2", "1");
  }
}
