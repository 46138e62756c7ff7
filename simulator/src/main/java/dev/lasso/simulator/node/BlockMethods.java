package dev.lasso.simulator.node;

import static dev.lasso.simulator.node.EthJson.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.Hex;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.chain.SimTransaction;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods that read blocks, transactions, receipts and logs. Guarded by the chain's lock. */
final class BlockMethods {

  private final SimChain chain;
  private final NodeView view;
  private final BlockSelector blocks;
  private final NodeSpec spec;

  BlockMethods(SimChain chain, NodeView view, BlockSelector blocks, NodeSpec spec) {
    this.chain = chain;
    this.view = view;
    this.blocks = blocks;
    this.spec = spec;
  }

  Map<String, SimNode.Method> table() {
    return Map.ofEntries(
        Map.entry("eth_blockNumber", params -> quantity(view.head().number())),
        Map.entry("eth_getBlockByNumber", this::blockByNumber),
        Map.entry("eth_getBlockByHash", this::blockByHash),
        Map.entry("eth_getBlockReceipts", this::blockReceipts),
        Map.entry("eth_getBlockTransactionCountByNumber", this::transactionCountByNumber),
        Map.entry("eth_getTransactionByHash", this::transactionByHash),
        Map.entry("eth_getTransactionByBlockNumberAndIndex", this::transactionByIndex),
        Map.entry("eth_getTransactionReceipt", this::receipt),
        Map.entry("eth_getLogs", this::logs));
  }

  private static JsonNode quantity(long value) {
    return JSON.textNode(Hex.quantity(value));
  }

  private JsonNode blockByNumber(Params params) {
    boolean full = params.flag(1);
    if (params.text(0).equals("pending")) {
      ObjectNode pending = EthJson.block(chain.pendingBlock(view.head()), full);
      pending.putNull("hash").putNull("nonce").putNull("miner");
      return pending;
    }
    SimBlock block = blocks.block(params, 0);
    return EthJson.orNull(block == null ? null : EthJson.block(block, full));
  }

  private JsonNode blockByHash(Params params) {
    boolean full = params.flag(1);
    SimBlock block = view.byHash(params.hash(0));
    return EthJson.orNull(block == null ? null : EthJson.block(block, full));
  }

  private JsonNode transactionCountByNumber(Params params) {
    SimBlock block = blocks.block(params, 0);
    return block == null ? JSON.nullNode() : quantity(block.transactions().size());
  }

  private JsonNode blockReceipts(Params params) {
    SimBlock block =
        Hex.isData(params.text(0), 32) ? view.byHash(params.hash(0)) : blocks.block(params, 0);
    if (block == null) {
      return JSON.nullNode();
    }
    ArrayNode receipts = JSON.arrayNode();
    for (int i = 0; i < block.transactions().size(); i++) {
      receipts.add(EthJson.receipt(block, i));
    }
    return receipts;
  }

  private JsonNode transactionByHash(Params params) {
    String hash = params.hash(0);
    SimBlock block = view.blockOfTransaction(hash);
    if (block != null) {
      int index = index(block, hash);
      return EthJson.transaction(block.transactions().get(index), block, index);
    }
    return chain.pending().stream()
        .filter(transaction -> transaction.hash().equals(hash))
        .findFirst()
        .<JsonNode>map(transaction -> EthJson.transaction(transaction, null, 0))
        .orElse(JSON.nullNode());
  }

  private JsonNode transactionByIndex(Params params) {
    SimBlock block = blocks.block(params, 0);
    long index = params.quantity(1);
    if (block == null || index >= block.transactions().size()) {
      return JSON.nullNode();
    }
    return EthJson.transaction(block.transactions().get((int) index), block, (int) index);
  }

  private JsonNode receipt(Params params) {
    String hash = params.hash(0);
    SimBlock block = view.blockOfTransaction(hash);
    return block == null ? JSON.nullNode() : EthJson.receipt(block, index(block, hash));
  }

  private static int index(SimBlock block, String transactionHash) {
    List<SimTransaction> transactions = block.transactions();
    for (int i = 0; i < transactions.size(); i++) {
      if (transactions.get(i).hash().equals(transactionHash)) {
        return i;
      }
    }
    throw new IllegalStateException("transaction is not in the block it was found in");
  }

  private JsonNode logs(Params params) {
    JsonNode filter = params.at(0);
    LogFilter wanted = LogFilter.parse(filter);
    ArrayNode found = JSON.arrayNode();
    if (filter.hasNonNull("blockHash")) {
      if (filter.hasNonNull("fromBlock") || filter.hasNonNull("toBlock")) {
        throw RpcException.invalidParams(
            "invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one"
                + " or the other");
      }
      SimBlock block = view.byHash(filter.get("blockHash").asText().toLowerCase(Locale.ROOT));
      if (block == null) {
        throw new RpcException(-32000, "unknown block");
      }
      wanted.select(block, false).forEach(found::add);
      return found;
    }
    long head = view.head().number();
    long from = bound(filter.get("fromBlock"), head);
    long to = bound(filter.get("toBlock"), head);
    if (from > to) {
      throw new RpcException(-32000, "invalid block range params");
    }
    if (to - from >= spec.maxLogRange()) {
      throw new RpcException(-32005, "query exceeds max block range " + spec.maxLogRange());
    }
    for (long number = from; number <= Math.min(to, head); number++) {
      SimBlock block = blocks.block(number);
      if (block != null && wanted.mightMatch(block.header().logsBloom())) {
        wanted.select(block, false).forEach(found::add);
      }
    }
    return found;
  }

  private long bound(@Nullable JsonNode bound, long head) {
    if (bound == null || bound.isNull()) {
      return head;
    }
    return Math.max(0, blocks.number(new Params(JSON.arrayNode().add(bound)), 0));
  }
}
