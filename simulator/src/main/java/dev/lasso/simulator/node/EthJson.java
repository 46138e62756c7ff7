package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.BlockHeader;
import dev.lasso.simulator.chain.Hex;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimLog;
import dev.lasso.simulator.chain.SimReceipt;
import dev.lasso.simulator.chain.SimTransaction;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The JSON shapes of the Ethereum API, field by field as geth sends them after the Prague upgrade.
 *
 * @see <a href="https://github.com/ethereum/execution-apis">Execution API specification</a>
 */
public final class EthJson {

  static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private EthJson() {}

  /** A header, as {@code newHeads} announces it. */
  public static ObjectNode header(SimBlock block) {
    BlockHeader header = block.header();
    ObjectNode json = JSON.objectNode();
    json.put("parentHash", header.parentHash());
    json.put("sha3Uncles", BlockHeader.EMPTY_UNCLES);
    json.put("miner", header.miner());
    json.put("stateRoot", header.stateRoot());
    json.put("transactionsRoot", header.transactionsRoot());
    json.put("receiptsRoot", header.receiptsRoot());
    json.put("logsBloom", header.logsBloom().toString());
    json.put("difficulty", "0x0");
    json.put("number", Hex.quantity(header.number()));
    json.put("gasLimit", Hex.quantity(header.gasLimit()));
    json.put("gasUsed", Hex.quantity(header.gasUsed()));
    json.put("timestamp", Hex.quantity(header.timestamp()));
    json.put("extraData", header.extraData());
    json.put("mixHash", header.prevRandao());
    json.put("nonce", BlockHeader.NO_NONCE);
    json.put("baseFeePerGas", Hex.quantity(header.baseFeePerGas()));
    json.put("withdrawalsRoot", header.withdrawalsRoot());
    json.put("blobGasUsed", "0x0");
    json.put("excessBlobGas", "0x0");
    json.put("parentBeaconBlockRoot", header.parentBeaconBlockRoot());
    json.put("requestsHash", BlockHeader.EMPTY_REQUESTS);
    json.put("hash", block.hash());
    return json;
  }

  /** A block, its transactions in full or as hashes. */
  public static ObjectNode block(SimBlock block, boolean fullTransactions) {
    ObjectNode json = header(block);
    json.put("size", Hex.quantity(block.size()));
    ArrayNode transactions = json.putArray("transactions");
    for (int i = 0; i < block.transactions().size(); i++) {
      if (fullTransactions) {
        transactions.add(transaction(block.transactions().get(i), block, i));
      } else {
        transactions.add(block.transactions().get(i).hash());
      }
    }
    json.putArray("uncles");
    ArrayNode withdrawals = json.putArray("withdrawals");
    for (SimBlock.Withdrawal withdrawal : block.withdrawals()) {
      withdrawals
          .addObject()
          .put("index", Hex.quantity(withdrawal.index()))
          .put("validatorIndex", Hex.quantity(withdrawal.validatorIndex()))
          .put("address", withdrawal.address())
          .put("amount", Hex.quantity(withdrawal.amountGwei()));
    }
    return json;
  }

  /** A transaction in its block; without a block it is pending. */
  public static ObjectNode transaction(
      SimTransaction transaction, @Nullable SimBlock block, int index) {
    ObjectNode json = JSON.objectNode();
    json.put("blockHash", block == null ? null : block.hash());
    json.put("blockNumber", block == null ? null : Hex.quantity(block.number()));
    json.put("from", transaction.from());
    json.put("gas", Hex.quantity(transaction.gas()));
    BigInteger price =
        block == null
            ? transaction.maxFeePerGas()
            : transaction.effectiveGasPrice(block.header().baseFeePerGas());
    json.put("gasPrice", Hex.quantity(price));
    if (transaction.type() >= 2) {
      json.put("maxFeePerGas", Hex.quantity(transaction.maxFeePerGas()));
      json.put("maxPriorityFeePerGas", Hex.quantity(transaction.maxPriorityFeePerGas()));
    }
    json.put("hash", transaction.hash());
    json.put("input", transaction.input());
    json.put("nonce", Hex.quantity(transaction.nonce()));
    json.put("to", transaction.to());
    json.put("transactionIndex", block == null ? null : Hex.quantity(index));
    json.put("value", Hex.quantity(transaction.value()));
    json.put("type", Hex.quantity(transaction.type()));
    if (transaction.type() >= 1) {
      ArrayNode accessList = json.putArray("accessList");
      for (SimTransaction.AccessTuple tuple : transaction.accessList()) {
        ObjectNode entry = accessList.addObject().put("address", tuple.address());
        tuple.storageKeys().forEach(entry.putArray("storageKeys")::add);
      }
    }
    if (transaction.chainId() != null) {
      json.put("chainId", Hex.quantity(transaction.chainId()));
    }
    json.put("v", Hex.quantity(transaction.v()));
    json.put("r", Hex.quantity(transaction.r()));
    json.put("s", Hex.quantity(transaction.s()));
    if (transaction.type() >= 1) {
      json.put("yParity", Hex.quantity(transaction.v()));
    }
    return json;
  }

  /** The receipt of a block's transaction. */
  public static ObjectNode receipt(SimBlock block, int index) {
    SimTransaction transaction = block.transactions().get(index);
    SimReceipt receipt = block.receipts().get(index);
    ObjectNode json = JSON.objectNode();
    json.put("blockHash", block.hash());
    json.put("blockNumber", Hex.quantity(block.number()));
    json.put("contractAddress", transaction.createdContract());
    json.put("cumulativeGasUsed", Hex.quantity(receipt.cumulativeGasUsed()));
    json.put(
        "effectiveGasPrice",
        Hex.quantity(transaction.effectiveGasPrice(block.header().baseFeePerGas())));
    json.put("from", transaction.from());
    json.put("gasUsed", Hex.quantity(receipt.gasUsed()));
    ArrayNode logs = json.putArray("logs");
    for (int i = 0; i < receipt.logs().size(); i++) {
      logs.add(log(block, index, i, false));
    }
    json.put("logsBloom", receipt.logsBloom().toString());
    json.put("status", receipt.succeeded() ? "0x1" : "0x0");
    json.put("to", transaction.to());
    json.put("transactionHash", transaction.hash());
    json.put("transactionIndex", Hex.quantity(index));
    json.put("type", Hex.quantity(transaction.type()));
    return json;
  }

  /**
   * A log of a block's transaction.
   *
   * @param logOfTransaction index within the transaction's receipt
   * @param removed whether the block ceased to be canonical
   */
  public static ObjectNode log(
      SimBlock block, int transactionIndex, int logOfTransaction, boolean removed) {
    SimReceipt receipt = block.receipts().get(transactionIndex);
    SimLog log = receipt.logs().get(logOfTransaction);
    ObjectNode json = JSON.objectNode();
    json.put("address", log.address());
    log.topics().forEach(json.putArray("topics")::add);
    json.put("data", log.data());
    json.put("blockNumber", Hex.quantity(block.number()));
    json.put("transactionHash", block.transactions().get(transactionIndex).hash());
    json.put("transactionIndex", Hex.quantity(transactionIndex));
    json.put("blockHash", block.hash());
    json.put("blockTimestamp", Hex.quantity(block.header().timestamp()));
    json.put("logIndex", Hex.quantity(receipt.firstLogIndex() + logOfTransaction));
    json.put("removed", removed);
    return json;
  }

  /** JSON's null, or the value. */
  static JsonNode orNull(@Nullable JsonNode value) {
    return value == null ? JSON.nullNode() : value;
  }
}
