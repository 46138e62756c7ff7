package dev.lasso.blocksync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.blocksync.HeadPoll.Condition;
import dev.lasso.blocksync.HeadPoll.Finding;
import dev.lasso.blocksync.HeadPoll.Questions;
import dev.lasso.engine.query.NodeQuery;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.engine.upstream.UpstreamRequest;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.errors.ErrorClass;
import io.vertx.core.Handler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadPollTest {
  private static final Questions HEIGHT_ONLY = new Questions(false, false, false);

  private final Node node = new Node();

  @Test
  void asksForTheNumberAlone() {
    node.answers("eth_blockNumber[]", "\"0x10\"");

    assertThat(poll(HEIGHT_ONLY))
        .isInstanceOfSatisfying(
            Finding.Seen.class,
            seen -> {
              assertThat(seen.number()).isEqualTo(16);
              assertThat(seen.header()).isNull();
              assertThat(seen.condition()).isNull();
            });
    assertThat(node.asked).containsExactly("eth_blockNumber[]");
  }

  @Test
  void asksForTheHeaderWhileSomebodyNeedsIt() {
    node.answers("eth_getBlockByNumber[\"latest\",false]", block(16));

    assertThat(poll(new Questions(false, false, true)))
        .isInstanceOfSatisfying(
            Finding.Seen.class,
            seen -> {
              assertThat(seen.number()).isEqualTo(16);
              assertThat(seen.header()).isNotNull();
            });
  }

  @Test
  void asksWhoItIsBeforeAnythingElse() {
    node.answers("eth_chainId[]", "\"0x89\"");

    assertThat(poll(new Questions(true, true, true))).isEqualTo(new Finding.WrongChain(137));
    assertThat(node.asked).containsExactly("eth_chainId[]");
  }

  @Test
  void asksForTheHeadLastOfAll() {
    node.answers("eth_chainId[]", "\"0x1\"");
    node.answers("eth_syncing[]", "{\"currentBlock\":\"0x1\"}");
    node.answers("eth_getBlockByNumber[\"safe\",false]", block(9));
    node.answers("eth_getBlockByNumber[\"finalized\",false]", block(7));
    node.answers("eth_blockNumber[]", "\"0x10\"");

    assertThat(poll(new Questions(true, true, false)))
        .isInstanceOfSatisfying(
            Finding.Seen.class,
            seen -> assertThat(seen.condition()).isEqualTo(new Condition(true, 9L, 7L)));
    assertThat(node.asked.getLast()).isEqualTo("eth_blockNumber[]");
  }

  @Test
  void aNodeThatKnowsNoFinalityIsNotWorseForIt() {
    node.answers("eth_syncing[]", "false");
    node.answers("eth_blockNumber[]", "\"0x10\"");

    assertThat(poll(new Questions(false, true, false)))
        .isInstanceOfSatisfying(
            Finding.Seen.class,
            seen -> assertThat(seen.condition()).isEqualTo(new Condition(false, null, null)));
  }

  @Test
  void anAnswerThatIsNoNumberIsAFailure() {
    node.answers("eth_blockNumber[]", "\"soon\"");

    assertThat(poll(HEIGHT_ONLY))
        .isInstanceOfSatisfying(
            Finding.Failed.class,
            failed -> assertThat(failed.failure().errorClass()).isEqualTo(ErrorClass.MALFORMED));
  }

  @Test
  void silenceIsAFailure() {
    assertThat(poll(HEIGHT_ONLY))
        .isInstanceOfSatisfying(
            Finding.Failed.class,
            failed -> assertThat(failed.failure().errorClass()).isEqualTo(ErrorClass.TIMEOUT));
  }

  private Finding poll(Questions questions) {
    NodeQuery query = new NodeQuery(node, InstantSource.system(), 100);
    return new HeadPoll(query, ChainId.of(1), questions).run().result();
  }

  private static String block(int number) {
    return "{\"number\":\"0x"
        + Integer.toHexString(number)
        + "\",\"hash\":\"0x"
        + "ab".repeat(32)
        + "\",\"parentHash\":\"0x"
        + "cd".repeat(32)
        + "\",\"transactions\":[]}";
  }

  /** Answers at once what it was taught, and times out at everything else. */
  private static final class Node implements Upstream {
    private final Map<String, String> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();

    void answers(String question, String result) {
      answers.put(question, result);
    }

    @Override
    public UpstreamCall call(UpstreamRequest request, Handler<UpstreamOutcome> done) {
      String question = request.call().method() + request.call().params();
      asked.add(question);
      String result = answers.get(question);
      done.handle(
          result == null
              ? new UpstreamOutcome.Failed(TransportFault.TIMEOUT, true)
              : new UpstreamOutcome.Result(JsonSlice.of(result)));
      return () -> {};
    }
  }
}
