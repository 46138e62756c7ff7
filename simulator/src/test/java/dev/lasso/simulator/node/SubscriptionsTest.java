package dev.lasso.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.ChainUpdate;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.time.ManualSimClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What subscribers of a node are told while its chain moves and its faults act. */
class SubscriptionsTest {

  private final SimChain chain = new SimChain(ChainSpec.of("test", 1).withInitialBlocks(50));
  private final FaultBoard faults = new FaultBoard(1, new ManualSimClock(0));
  private final SimNode node = new SimNode(chain, NodeSpec.archivalNode(), faults, 1);
  private final Recorder recorder = new Recorder();

  private static final class Recorder implements Subscriber {
    final List<JsonNode> events = new ArrayList<>();
    final List<String> dropped = new ArrayList<>();

    @Override
    public void event(String subscriptionId, JsonNode result) {
      events.add(result);
    }

    @Override
    public void dropped(String subscriptionId, boolean closeSocket) {
      dropped.add(subscriptionId);
    }

    List<String> hashes() {
      return events.stream().map(event -> event.get("hash").asText()).toList();
    }
  }

  private String subscribe(String topic) {
    RpcReply reply = node.subscribe(params(topic), recorder).reply();
    assertThat(reply).isInstanceOf(RpcReply.Result.class);
    return ((RpcReply.Result) reply).value().asText();
  }

  private static ArrayNode params(String text) {
    return JsonNodeFactory.instance.arrayNode().add(text);
  }

  private static List<String> hashes(List<SimBlock> blocks) {
    return blocks.stream().map(SimBlock::hash).toList();
  }

  @Test
  void announcesEveryNewHead() {
    subscribe("newHeads");

    List<SimBlock> mined = chain.mine(3);

    assertThat(recorder.hashes()).isEqualTo(hashes(mined));
    assertThat(recorder.events.getFirst()).isEqualTo(EthJson.header(mined.getFirst()));
  }

  @Test
  void announcesTheNewBranchOfAReorganisation() {
    subscribe("newHeads");

    ChainUpdate update = chain.fork(3);

    assertThat(recorder.hashes()).isEqualTo(hashes(update.added()));
  }

  @Test
  void repeatsTheLogsOfRemovedBlocksAsRemoved() {
    subscribe("logs");

    ChainUpdate update = chain.fork(4);

    List<JsonNode> expected = new ArrayList<>();
    update.removed().forEach(block -> expected.addAll(LogFilter.ALL.select(block, true)));
    update.added().forEach(block -> expected.addAll(LogFilter.ALL.select(block, false)));
    assertThat(recorder.events).isEqualTo(expected).isNotEmpty();
  }

  @Test
  void announcesPendingTransactionsBeforeTheyAreMined() {
    subscribe("newPendingTransactions");
    chain.mine();
    List<String> announced = recorder.events.stream().map(JsonNode::asText).toList();

    SimBlock next = chain.mine();

    assertThat(announced)
        .containsExactlyElementsOf(
            next.transactions().stream().map(transaction -> transaction.hash()).toList());
  }

  @Test
  void onlyTheOwnerUnsubscribes() {
    String id = subscribe("newHeads");

    assertThat(node.unsubscribe(params(id), new Recorder()).reply())
        .isInstanceOf(RpcReply.Failure.class);
    assertThat(node.unsubscribe(params(id), recorder).reply()).isInstanceOf(RpcReply.Result.class);
    chain.mine();
    assertThat(recorder.events).isEmpty();
  }

  @Test
  void headsRepeatSkipAndSwapByFault() {
    subscribe("newHeads");
    faults.pin("duplicateHeads count=1");
    SimBlock twice = chain.mine();
    faults.pin("skipHeads count=1");
    chain.mine();
    faults.pin("reorderHeads count=1");
    SimBlock late = chain.mine();
    SimBlock early = chain.mine();

    assertThat(recorder.hashes())
        .containsExactly(twice.hash(), twice.hash(), early.hash(), late.hash());
  }

  @Test
  void aDroppedSubscriptionFallsSilent() {
    String id = subscribe("newHeads");
    faults.pin("dropSubscription count=1");

    chain.mine(2);

    assertThat(recorder.events).isEmpty();
    assertThat(recorder.dropped).containsExactly(id);
    assertThat(node.subscriptionCount()).isZero();
  }

  @Test
  void aStoppedNodeCatchesUpWhenCleared() {
    subscribe("newHeads");
    faults.pin("stopHeads");
    SimBlock before = chain.head();
    List<SimBlock> mined = chain.mine(3);

    assertThat(node.head()).isEqualTo(before);
    assertThat(recorder.events).isEmpty();
    faults.clear();
    assertThat(node.head()).isEqualTo(chain.head());
    assertThat(recorder.hashes()).isEqualTo(hashes(mined));
  }

  @Test
  void silentNotificationsLeaveCallsAlone() {
    subscribe("newHeads");
    faults.pin("stopHeads:notifications");

    chain.mine(3);

    assertThat(node.head()).isEqualTo(chain.head());
    assertThat(recorder.events).isEmpty();
  }

  @Test
  void aForkedNodeFollowsItsOwnBranchUntilCleared() {
    subscribe("newHeads");
    SimBlock trunk = chain.head();
    faults.pin("fork:2");

    assertThat(node.head().number()).isEqualTo(trunk.number() + 1);
    assertThat(chain.isCanonical(node.head())).isFalse();
    assertThat(recorder.events).hasSize(3);
    chain.mine(4);
    assertThat(node.head().number()).isEqualTo(chain.head().number());
    assertThat(chain.isCanonical(node.head())).isFalse();

    recorder.events.clear();
    faults.clear();
    assertThat(node.head()).isEqualTo(chain.head());
    assertThat(recorder.events).hasSize(6);
  }

  @Test
  void aRewoundNodeRepeatsHeads() {
    subscribe("newHeads");
    List<SimBlock> mined = chain.mine(4);
    faults.pin("rewind:3");
    assertThat(node.head()).isEqualTo(mined.getFirst());

    chain.mine();
    faults.clear();

    assertThat(recorder.hashes())
        .startsWith(hashes(mined).toArray(String[]::new))
        .endsWith(mined.get(2).hash(), mined.get(3).hash(), chain.head().hash())
        .hasSize(8);
  }
}
