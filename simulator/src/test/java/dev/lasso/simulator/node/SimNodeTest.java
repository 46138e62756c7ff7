package dev.lasso.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.Hex;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.fault.Transport;
import dev.lasso.simulator.time.ManualSimClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimNodeTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final SimChain chain = new SimChain(ChainSpec.of("test", 1).withInitialBlocks(200));
  private final FaultBoard faults = new FaultBoard(1, new ManualSimClock(0));
  private final SimNode node = node(NodeSpec.archivalNode());

  private SimNode node(NodeSpec spec) {
    return new SimNode(chain, spec, faults, 1);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private JsonNode result(String method, String params) {
    return result(node, method, params);
  }

  private static JsonNode result(SimNode node, String method, String params) {
    RpcReply reply = node.call(method, json(params));
    assertThat(reply).isInstanceOf(RpcReply.Result.class);
    return ((RpcReply.Result) reply).value();
  }

  private static RpcReply.Failure failure(SimNode node, String method, String params) {
    RpcReply reply = node.call(method, json(params));
    assertThat(reply).isInstanceOf(RpcReply.Failure.class);
    return (RpcReply.Failure) reply;
  }

  @Test
  void servesHeadersAndBlocksAsGethDoes() {
    JsonNode block = result("eth_getBlockByNumber", "['latest', false]");
    JsonNode header = EthJson.header(chain.head());

    assertThat(block.get("hash").asText()).isEqualTo(chain.head().hash());
    assertThat(header.has("transactions")).isFalse();
    assertThat(header.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "baseFeePerGas",
            "blobGasUsed",
            "difficulty",
            "excessBlobGas",
            "extraData",
            "gasLimit",
            "gasUsed",
            "hash",
            "logsBloom",
            "miner",
            "mixHash",
            "nonce",
            "number",
            "parentBeaconBlockRoot",
            "parentHash",
            "receiptsRoot",
            "requestsHash",
            "sha3Uncles",
            "stateRoot",
            "timestamp",
            "transactionsRoot",
            "withdrawalsRoot");
    header.properties().forEach(f -> assertThat(block.get(f.getKey())).isEqualTo(f.getValue()));
  }

  @ParameterizedTest
  @CsvSource({
    "latest,200",
    "safe,168",
    "finalized,136",
    "earliest,0",
    "0x10,16",
  })
  void resolvesTags(String tag, long number) {
    JsonNode block = result("eth_getBlockByNumber", "['" + tag + "', true]");

    assertThat(Hex.number(block.get("number").asText())).isEqualTo(number);
  }

  @Test
  void blocksAboveTheHeadAreNullAndThePendingOneHasNoHash() {
    assertThat(result("eth_getBlockByNumber", "['0xc9', false]").isNull()).isTrue();
    JsonNode pending = result("eth_getBlockByNumber", "['pending', false]");
    assertThat(pending.get("number").asText()).isEqualTo("0xc9");
    assertThat(pending.get("hash").isNull()).isTrue();
  }

  @Test
  void receiptsMatchTheirBlockAndTransaction() {
    SimBlock block = chain.head();
    for (long number = 200; block.transactions().isEmpty(); number--) {
      block = chain.block(number);
    }
    JsonNode receipts = result("eth_getBlockReceipts", "['" + block.hash() + "']");
    String hash = block.transactions().getFirst().hash();

    assertThat(receipts).hasSize(block.transactions().size());
    assertThat(result("eth_getTransactionReceipt", "['" + hash + "']")).isEqualTo(receipts.get(0));
    assertThat(result("eth_getTransactionByHash", "['" + hash + "']").get("blockHash").asText())
        .isEqualTo(block.hash());
  }

  @Test
  void logsAreThoseThatTheFilterMatches() {
    String token = chain.tokens().getFirst();
    JsonNode all = result("eth_getLogs", "[{'fromBlock': '0x0', 'toBlock': 'latest'}]");
    JsonNode ofToken =
        result(
            "eth_getLogs",
            "[{'fromBlock': '0x0', 'address': ['"
                + "0x"
                + token.substring(2).toUpperCase(Locale.ROOT)
                + "']}]");

    List<JsonNode> expected = new ArrayList<>();
    all.forEach(
        log -> {
          if (log.get("address").asText().equals(token)) {
            expected.add(log);
          }
        });
    assertThat(ofToken).isNotEmpty().containsExactlyElementsOf(expected);
    assertThat(all.size()).isGreaterThan(ofToken.size());
  }

  @Test
  void topicsMatchByPositionWithWildcardsAndAlternatives() {
    JsonNode all = result("eth_getLogs", "[{'fromBlock': '0x0'}]");
    JsonNode sample = all.get(0).get("topics");
    String first = sample.get(0).asText();
    String second = sample.get(1).asText();
    String none = "0x" + "0".repeat(64);

    JsonNode bySecond = logs("[null, '" + second + "']");
    assertThat(bySecond).isNotEmpty();
    assertThat(bySecond).allMatch(log -> log.get("topics").get(1).asText().equals(second));
    assertThat(logs("[['" + first + "', '" + none + "'], '" + second + "']")).isNotEmpty();
    assertThat(logs("['" + none + "']")).isEmpty();
    assertThat(logs("[[], null]")).hasSameSizeAs(all);
    assertThat(logs("[null, null, null, null]")).isEmpty();
  }

  private JsonNode logs(String topics) {
    return result("eth_getLogs", "[{'fromBlock': '0x0', 'topics': " + topics + "}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "eth_fooBar|[]|-32601|the method eth_fooBar does not exist",
        "eth_subscribe|['newHeads']|-32601|notifications not supported",
        "eth_getBlockByNumber|[]|-32602|missing value for required argument 0",
        "eth_getBlockByNumber|['twelve', false]|-32602|invalid argument 0",
        "eth_getBlockByHash|['0x12', false]|-32602|invalid argument 0",
        "eth_getBalance|['0x12', 'latest']|-32602|invalid argument 0",
        "eth_chainId|{'a': 1}|-32602|non-array args",
        "eth_getLogs|[{'fromBlock': '0x5', 'toBlock': '0x1'}]|-32000|invalid block range",
        "eth_getLogs|[{'address': '0x1'}]|-32602|address must be 20 bytes",
        "eth_getLogs|[{'topics': [[], [], [], [], []]}]|-32602|exceed max topics",
        "eth_sendRawTransaction|['0x02']|-32000|rlp",
      })
  void failsAsGethDoes(String method, String params, int code, String message) {
    RpcReply.Failure failure = failure(node, method, params);

    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.message()).contains(message);
  }

  @Test
  void revertsCarryTheirReasonAndData() {
    String data =
        "0x08c379a0"
            + "0000000000000000000000000000000000000000000000000000000000000020"
            + "000000000000000000000000000000000000000000000000000000000000000a"
            + "6e6f7420656e6f75676800000000000000000000000000000000000000000000";

    RpcReply.Failure failure = failure(node, "eth_call", "[{'data': '" + data + "'}, 'latest']");

    assertThat(failure.code()).isEqualTo(3);
    assertThat(failure.message()).isEqualTo("execution reverted: not enough");
    assertThat(failure.data()).isEqualTo(json("'" + data + "'"));
  }

  @Test
  void onlyArchivalNodesHaveOldStates() {
    String params = "['" + chain.accounts().getFirst() + "', '0x10']";
    SimNode recent = node(NodeSpec.archivalNode().withArchival(false));

    assertThat(result("eth_getBalance", params).asText()).startsWith("0x");
    assertThat(failure(recent, "eth_getBalance", params).message()).startsWith("missing trie node");
    assertThat(result(recent, "eth_getBalance", params.replace("0x10", "0x48"))).isNotNull();
    assertThat(result(recent, "eth_getBlockByNumber", "['0x10', false]").isNull()).isFalse();
  }

  @Test
  void nodesOfOneChainAgreeOnStates() {
    SimNode other = node(NodeSpec.archivalNode());
    String call = "[{'to': '" + chain.tokens().getFirst() + "', 'data': '0x70a08231'}, 'latest']";

    assertThat(result("eth_call", call)).isEqualTo(result(other, "eth_call", call));
    JsonNode before = result("eth_call", call);
    chain.mine();
    assertThat(result("eth_call", call)).isNotEqualTo(before);
  }

  @Test
  void aLaggingNodeKnowsNoNewerBlock() {
    SimNode lagging = node(NodeSpec.archivalNode().withHeadOffset(5));

    assertThat(result(lagging, "eth_blockNumber", "[]").asText()).isEqualTo("0xc3");
    assertThat(result(lagging, "eth_getBlockByNumber", "['0xc4', false]").isNull()).isTrue();
    assertThat(
            result(lagging, "eth_getBlockByHash", "['" + chain.head().hash() + "', false]")
                .isNull())
        .isTrue();
  }

  @Test
  void aSentTransactionIsPendingThenMined() {
    String raw =
        "0xf8658084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c88230398026a0fe976bbfedd4"
            + "7690a55f4bfc23b493c8791786766af84366ad289989cd3eeb0ca014c9fa98989b57377d7d86934dcb5cff"
            + "3753ae82e0c53b7310d826b518cc2136";
    String hash = result("eth_sendRawTransaction", "['" + raw + "']").asText();

    assertThat(result("eth_getTransactionByHash", "['" + hash + "']").get("blockHash").isNull())
        .isTrue();
    assertThat(result("eth_getTransactionReceipt", "['" + hash + "']").isNull()).isTrue();
    chain.mine();
    assertThat(result("eth_getTransactionReceipt", "['" + hash + "']").get("status").asText())
        .isEqualTo("0x1");
  }

  @Test
  void feeHistoryHasOneMoreBaseFeeThanBlocks() {
    JsonNode history = result("eth_feeHistory", "['0x4', 'latest', [25, 75]]");

    assertThat(history.get("oldestBlock").asText()).isEqualTo("0xc5");
    assertThat(history.get("baseFeePerGas")).hasSize(5);
    assertThat(history.get("gasUsedRatio")).hasSize(4);
    assertThat(history.get("reward").get(0)).hasSize(2);
  }

  @Test
  void replyFaultsReplaceTheAnswer() {
    faults.pin("rpcError:-32005:limit exceeded:data={\"a\":1} methods=eth_call");
    faults.pin("wrongChain:5");
    faults.pin("nullResult methods=eth_blockNumber");
    faults.pin("unsupported methods=debug_*");

    RpcReply.Failure error =
        (RpcReply.Failure) node.answer("eth_call", json("[{}]"), Transport.HTTP).reply();
    assertThat(error.code()).isEqualTo(-32005);
    assertThat(error.data()).isEqualTo(json("{'a':1}"));
    assertThat(answer("eth_chainId")).isEqualTo(new RpcReply.Result(json("'0x5'")));
    assertThat(answer("eth_blockNumber")).isEqualTo(new RpcReply.Result(json("null")));
    assertThat(answer("debug_traceBlockByNumber")).isInstanceOf(RpcReply.Failure.class);
  }

  private RpcReply answer(String method) {
    return node.answer(method, json("[]"), Transport.HTTP).reply();
  }

  @Test
  void syncingNodesSaySo() {
    assertThat(result("eth_syncing", "[]")).isEqualTo(json("false"));
    faults.pin("syncing");
    assertThat(result("eth_syncing", "[]").has("highestBlock")).isTrue();
  }

  @Test
  void claimsToBeAheadOnBlocksOfItsOwnAndComesBack() {
    long truth = chain.head().number();
    faults.pin("ahead:100");

    assertThat(result("eth_blockNumber", "[]").asText()).isEqualTo(Hex.quantity(truth + 100));
    JsonNode claimed = result("eth_getBlockByNumber", "['latest', false]");
    assertThat(claimed.get("number").asText()).isEqualTo(Hex.quantity(truth + 100));
    chain.mine(2);
    assertThat(result("eth_blockNumber", "[]").asText()).isEqualTo(Hex.quantity(truth + 102));
    assertThat(chain.head().number()).isEqualTo(truth + 2);

    faults.clear();
    assertThat(result("eth_blockNumber", "[]").asText()).isEqualTo(Hex.quantity(truth + 2));
    assertThat(result("eth_getBlockByNumber", "['latest', false]").get("hash").asText())
        .isEqualTo(chain.head().hash());
  }
}
