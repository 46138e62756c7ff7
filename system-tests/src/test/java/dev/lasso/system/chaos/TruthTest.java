package dev.lasso.system.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.node.EthJson;
import dev.lasso.simulator.node.NodeSpec;
import dev.lasso.simulator.node.RpcReply;
import dev.lasso.simulator.node.SimNode;
import dev.lasso.simulator.time.ManualSimClock;
import dev.lasso.system.chaos.Truth.Question;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What callers and subscribers of a chaos run object to. */
class TruthTest {
  private final SimChain chain = new SimChain(ChainSpec.of("main", 1337).withInitialBlocks(60));
  private final SimNode node =
      new SimNode(chain, NodeSpec.archivalNode(), new FaultBoard(1, new ManualSimClock(0)), 1);
  private final Truth truth = new Truth(node, true);
  private final Told told = new Told(truth);

  @Test
  void takesWhatTheNodeAnswersAndNothingElse() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200; i++) {
      Question question = truth.single(random, i);
      ObjectNode answer = answer(question.body());
      assertThat(truth.judge(question, answer.toString())).isInstanceOf(Verdict.Right.class);
      answer.putNull("result");
      String method = question.body().path("method").asText();
      if (!method.equals("eth_blockNumber")) {
        assertThat(truth.judge(question, answer.toString())).isInstanceOf(Verdict.Wrong.class);
      }
      answer.put("id", i + 1);
      assertThat(truth.judge(question, answer.toString())).isInstanceOf(Verdict.Wrong.class);
    }
  }

  private ObjectNode answer(JsonNode call) {
    RpcReply reply = node.call(call.path("method").asText(), call.path("params"));
    JsonNode result = reply instanceof RpcReply.Result(JsonNode value) ? value : null;
    ObjectNode answer = Truth.JSON.createObjectNode();
    answer.put("jsonrpc", "2.0").set("id", call.path("id"));
    answer.set("result", result);
    return answer;
  }

  @Test
  void tellsLateFromWrong() {
    Question question = truth.single(new SplittableRandom(5), 1);
    assertThat(truth.judge(question, error("timeout"))).isInstanceOf(Verdict.Late.class);
    assertThat(truth.judge(question, error("server_error"))).isInstanceOf(Verdict.Wrong.class);
    assertThat(truth.judge(question, "<html>")).isInstanceOf(Verdict.Wrong.class);
  }

  private static String error(String second) {
    return """
    {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"All providers failed","data":
      {"attempts":[{"provider":"a","error":"timeout"},{"provider":"b","error":"%s"}]}}}
    """
        .formatted(second);
  }

  @Test
  void everyHeadAndLogInOrderIsAllThereIsToTell() {
    for (long number = 10; number <= 60; number++) {
      tell(number);
    }
    assertThat(told.upTo(60)).isTrue();
    assertThat(told.objections()).isEmpty();
    assertThat(told.missing() + told.repeated() + told.wrong()).isZero();
  }

  @Test
  void countsWhatIsMissingAndRepeated() {
    tell(10);
    tell(12);
    assertThat(told.missing()).isEqualTo(1 + truth.logs(11).size());
    tell(12);
    assertThat(told.repeated()).isEqualTo(1 + truth.logs(12).size());
  }

  @Test
  void logsOfTheLastBlockMayComeAgainOnceTheyWereAskedFor() {
    tell(10);
    told.logsParams();
    truth.logs(10).forEach(told::log);
    tell(11);
    assertThat(told.objections()).isEmpty();
    truth.logs(11).forEach(told::log);
    assertThat(told.repeated()).isEqualTo(truth.logs(11).size());
  }

  @Test
  void aHeadThatIsNotTheChainsIsWrong() {
    ObjectNode header = EthJson.header(chain.block(10));
    told.head(header.put("gasUsed", "0x1234567"));
    assertThat(told.wrong()).isEqualTo(1);
  }

  @Test
  void whatIsNotToldInTheEndIsMissing() {
    tell(10);
    told.end(12);
    assertThat(told.missing()).isEqualTo(2);
  }

  private void tell(long number) {
    SimBlock block = chain.block(number);
    told.head(EthJson.header(block));
    truth.logs(number).forEach(told::log);
  }
}
