package dev.lasso.simulator.node;

import static dev.lasso.simulator.node.EthJson.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.routing.Keccak256;
import dev.lasso.simulator.chain.Hex;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * The methods that read the state, simulate calls, quote fees and accept transactions. The state is
 * a pure function of the chain's seed, the address and the block's hash: every node that has the
 * block gives the same answer, and an answer tells which block it was taken from. Guarded by the
 * chain's lock.
 *
 * <ul>
 *   <li>A balance is between 100 and 101 ether and changes with every block.
 *   <li>A call returns one word. Call data that begins with {@code Error(string)}'s selector
 *       reverts with that very data.
 *   <li>The token contracts have code; no other account has.
 * </ul>
 */
final class StateMethods {

  private static final String ERROR_SELECTOR = "0x08c379a0";
  private static final String TOKEN_CODE = "0x6080604052348015600e575f5ffd5b50";
  private static final long TIP = 100_000_000L;
  private static final BigInteger ETHER = BigInteger.TEN.pow(18);

  private final SimChain chain;
  private final NodeView view;
  private final BlockSelector blocks;

  StateMethods(SimChain chain, NodeView view, BlockSelector blocks) {
    this.chain = chain;
    this.view = view;
    this.blocks = blocks;
  }

  Map<String, SimNode.Method> table() {
    return Map.ofEntries(
        Map.entry("eth_getBalance", this::balance),
        Map.entry("eth_getTransactionCount", this::transactionCount),
        Map.entry("eth_getCode", this::code),
        Map.entry("eth_getStorageAt", this::storage),
        Map.entry("eth_call", this::call),
        Map.entry("eth_estimateGas", this::estimateGas),
        Map.entry("eth_gasPrice", params -> quantity(baseFee() + TIP)),
        Map.entry("eth_maxPriorityFeePerGas", params -> quantity(TIP)),
        Map.entry("eth_feeHistory", this::feeHistory),
        Map.entry("eth_sendRawTransaction", this::sendRawTransaction));
  }

  private long baseFee() {
    return view.head().header().baseFeePerGas();
  }

  private JsonNode balance(Params params) {
    String address = params.address(0);
    byte[] hash = hash(blocks.state(params, 1), "balance", address);
    BigInteger spread = new BigInteger(1, Arrays.copyOf(hash, 16)).mod(ETHER);
    return JSON.textNode(Hex.quantity(ETHER.multiply(BigInteger.valueOf(100)).add(spread)));
  }

  private JsonNode transactionCount(Params params) {
    String address = params.address(0);
    SimBlock block = blocks.state(params, 1);
    long count = chain.transactionCount(address, block.number());
    if (params.at(1).asText().equals("pending")) {
      count +=
          chain.pending().stream()
              .filter(transaction -> transaction.submitted() && transaction.from().equals(address))
              .count();
    }
    return quantity(count);
  }

  private JsonNode code(Params params) {
    String address = params.address(0);
    blocks.state(params, 1);
    return JSON.textNode(chain.tokens().contains(address) ? TOKEN_CODE : "0x");
  }

  private JsonNode storage(Params params) {
    String address = params.address(0);
    String slot = params.text(1);
    return JSON.textNode(Hex.data(hash(blocks.state(params, 2), "storage", address + slot)));
  }

  private JsonNode call(Params params) {
    String data = callData(params);
    SimBlock block = blocks.state(params, 1);
    byte[] word = hash(block, "call", params.at(0).path("to").asText() + data);
    Arrays.fill(word, 0, 24, (byte) 0);
    return JSON.textNode(Hex.data(word));
  }

  private JsonNode estimateGas(Params params) {
    String data = callData(params);
    blocks.state(params, 1);
    long cost = 21_000;
    for (byte value : Hex.bytes(data)) {
      cost += value == 0 ? 4 : 16;
    }
    return quantity(data.length() > 2 ? cost + 25_000 : cost);
  }

  /** The call data, unless it reverts. */
  private static String callData(Params params) {
    JsonNode call = params.at(0);
    if (!call.isObject()) {
      throw Params.invalid(0, "expected a transaction object");
    }
    String data = call.path("input").asText(call.path("data").asText("0x"));
    data = data.toLowerCase(Locale.ROOT);
    byte[] bytes;
    try {
      bytes = Hex.bytes(data);
    } catch (IllegalArgumentException e) {
      throw Params.invalid(0, String.valueOf(e.getMessage()));
    }
    if (data.startsWith(ERROR_SELECTOR)) {
      throw new RpcException(3, "execution reverted" + reason(bytes), JSON.textNode(data));
    }
    return data;
  }

  /** The text of an ABI-encoded {@code Error(string)}: selector, offset, length, bytes. */
  private static String reason(byte[] data) {
    int lengthAt = 4 + 32;
    if (data.length < lengthAt + 32) {
      return "";
    }
    BigInteger length = new BigInteger(1, Arrays.copyOfRange(data, lengthAt, lengthAt + 32));
    int available = data.length - lengthAt - 32;
    if (length.compareTo(BigInteger.valueOf(available)) > 0) {
      return "";
    }
    return ": " + new String(data, lengthAt + 32, length.intValue(), StandardCharsets.UTF_8);
  }

  private JsonNode feeHistory(Params params) {
    long count = params.at(0).isNumber() ? params.at(0).asLong() : params.quantity(0);
    count = Math.clamp(count, 0, 1024);
    long newest = Math.min(blocks.number(params, 1), view.head().number());
    long oldest = Math.max(chain.oldestRetained(), newest - count + 1);
    ObjectNode json = JSON.objectNode();
    json.put("oldestBlock", Hex.quantity(oldest));
    ArrayNode baseFees = json.putArray("baseFeePerGas");
    ArrayNode ratios = json.putArray("gasUsedRatio");
    ArrayNode blobFees = JSON.arrayNode();
    ArrayNode blobRatios = JSON.arrayNode();
    ArrayNode rewards = JSON.arrayNode();
    SimBlock last = view.head();
    for (long number = oldest; number <= newest; number++) {
      SimBlock block = blocks.block(number);
      if (block == null) {
        break;
      }
      last = block;
      baseFees.add(Hex.quantity(block.header().baseFeePerGas()));
      ratios.add((double) block.header().gasUsed() / block.header().gasLimit());
      blobFees.add("0x1");
      blobRatios.add(0);
      ArrayNode reward = rewards.addArray();
      for (JsonNode percentile : params.at(2)) {
        reward.add(Hex.quantity(TIP + (long) (percentile.asDouble() * 1_000_000)));
      }
    }
    baseFees.add(Hex.quantity(chain.pendingBlock(last).header().baseFeePerGas()));
    blobFees.add("0x1");
    if (params.at(2).size() > 0) {
      json.set("reward", rewards);
    }
    json.set("baseFeePerBlobGas", blobFees);
    json.set("blobGasUsedRatio", blobRatios);
    return json;
  }

  private JsonNode sendRawTransaction(Params params) {
    try {
      return JSON.textNode(chain.submit(params.bytes(0)).hash());
    } catch (IllegalArgumentException e) {
      throw new RpcException(-32000, String.valueOf(e.getMessage()));
    }
  }

  private byte[] hash(SimBlock block, String what, String subject) {
    return Keccak256.hash(chain.spec().seed() + what + block.hash() + subject);
  }

  private static JsonNode quantity(long value) {
    return JSON.textNode(Hex.quantity(value));
  }
}
