package dev.lasso.system.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.node.EthJson;
import dev.lasso.simulator.node.RpcReply;
import dev.lasso.simulator.node.SimNode;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What is right: the chain, and a node of it that no fault befalls and no profile names. Any
 * thread.
 */
final class Truth {
  static final ObjectMapper JSON = new ObjectMapper();

  /** How far below the head callers ask. */
  private static final int DEPTH = 30;

  /** How much older than its question an answer about the head may be, for it may be shared. */
  private static final int SHARED_BLOCKS = 2;

  /** Methods whose deadline is 5 s or more, and all. */
  private static final int PATIENT_CALLS = 4;

  private static final int CALLS = 7;
  private static final int BATCH = 3;
  private static final int BATCH_EVERY = 10;

  private final SimNode node;
  private final int calls;

  /**
   * That of a node's chain, as the node sees it.
   *
   * @param hurried whether methods are asked that Lasso gives 1 or 2 s; a slow machine needs more
   */
  Truth(SimNode node, boolean hurried) {
    this.node = node;
    calls = hurried ? CALLS : PATIENT_CALLS;
  }

  /**
   * Something to ask.
   *
   * @param body the call, or the calls of a batch
   * @param head the chain's height when it was asked
   */
  record Question(JsonNode body, long head) {
    /** As it is sent. */
    String text() {
      return body.toString();
    }
  }

  /** A question by chance, its id as given; one in ten is a batch. */
  Question question(RandomGenerator random, int id) {
    long head = head();
    if (random.nextInt(BATCH_EVERY) > 0) {
      return new Question(call(random, id, head), head);
    }
    ArrayNode batch = JSON.createArrayNode();
    for (int i = 0; i < BATCH; i++) {
      batch.add(call(random, id + i, head));
    }
    return new Question(batch, head);
  }

  /** A question that is no batch. */
  Question single(RandomGenerator random, int id) {
    long head = head();
    return new Question(call(random, id, head), head);
  }

  private ObjectNode call(RandomGenerator random, int id, long head) {
    String block = hex(head - random.nextInt(1, DEPTH));
    String address = "0x%040x".formatted(random.nextLong(1, Long.MAX_VALUE));
    ArrayNode params = JSON.createArrayNode();
    String method =
        switch (random.nextInt(calls)) {
          case 0 -> {
            params.add(block).add(random.nextBoolean());
            yield "eth_getBlockByNumber";
          }
          case 1 -> {
            params.addObject().put("to", address).put("data", "0x12345678");
            params.add(block);
            yield "eth_call";
          }
          case 2 -> {
            params.addObject().put("fromBlock", block).put("toBlock", block);
            yield "eth_getLogs";
          }
          case 3 -> {
            params.add(block);
            yield "eth_getBlockReceipts";
          }
          case 4 -> {
            params.add(address).add(block);
            yield "eth_getBalance";
          }
          case 5 -> {
            params.add(address).add("0x1").add(block);
            yield "eth_getStorageAt";
          }
          default -> "eth_blockNumber";
        };
    ObjectNode call = JSON.createObjectNode();
    call.put("jsonrpc", "2.0").put("id", id).put("method", method).set("params", params);
    return call;
  }

  /** What the answer to a question is worth. */
  Verdict judge(Question question, String answer) {
    JsonNode told;
    try {
      told = JSON.readTree(answer);
    } catch (JsonProcessingException _) {
      return new Verdict.Wrong("no JSON: " + shortened(answer));
    }
    if (!question.body().isArray()) {
      return judge(question.body(), question.head(), told);
    }
    if (!told.isArray() || told.size() != question.body().size()) {
      return new Verdict.Wrong("not an answer to a batch: " + shortened(answer));
    }
    Verdict verdict = new Verdict.Right();
    for (int i = 0; i < told.size(); i++) {
      verdict = verdict.and(judge(question.body().get(i), question.head(), told.get(i)));
    }
    return verdict;
  }

  private Verdict judge(JsonNode call, long headWhenAsked, JsonNode answer) {
    JsonNode result = answer.path("result");
    String said = call + " was answered " + shortened(answer.toString());
    if (!answer.path("id").equals(call.path("id"))) {
      return new Verdict.Wrong("another id: " + said);
    }
    if (result.isMissingNode()) {
      return Verdict.isLate(answer.path("error"))
          ? new Verdict.Late(said)
          : new Verdict.Wrong(said);
    }
    String method = call.path("method").asText();
    if (method.equals("eth_blockNumber")) {
      long height = Long.decode(result.asText());
      return height < headWhenAsked - SHARED_BLOCKS || height > head()
          ? new Verdict.Wrong("between %d and %d: %s".formatted(headWhenAsked, head(), said))
          : new Verdict.Right();
    }
    return switch (node.call(method, call.path("params"))) {
      case RpcReply.Result(JsonNode right) ->
          equal(right, result)
              ? new Verdict.Right()
              : new Verdict.Wrong("right is " + shortened(right.toString()) + ": " + said);
      case RpcReply.Failure failure ->
          new Verdict.Wrong("the node itself says " + failure + ": " + said);
      case RpcReply.Bulk bulk -> new Verdict.Wrong("the node itself says " + bulk);
    };
  }

  /** Equal as JSON, whatever classes hold the numbers. */
  private static boolean equal(JsonNode right, JsonNode told) {
    return right.equals(told) || right.toString().equals(told.toString());
  }

  private static String shortened(String text) {
    return text.length() <= 400 ? text : text.substring(0, 400) + "…";
  }

  private static String hex(long number) {
    return "0x" + Long.toHexString(number);
  }

  /** The chain's height. */
  long head() {
    return chain().head().number();
  }

  SimChain chain() {
    return node.chain();
  }

  /** Whether a header is that of the canonical block of its height. */
  boolean isHeader(JsonNode header) {
    SimBlock block = chain().canonical(Long.decode(header.path("number").asText("0x0")));
    return block != null && equal(EthJson.header(block), header);
  }

  /** The logs of the canonical block of a height, as they must be told. */
  List<JsonNode> logs(long number) {
    SimBlock block = chain().block(number);
    List<JsonNode> logs = new ArrayList<>();
    for (int i = 0; i < block.transactions().size(); i++) {
      for (int j = 0; j < block.receipts().get(i).logs().size(); j++) {
        logs.add(EthJson.log(block, i, j, false));
      }
    }
    return logs;
  }

  /** Whether a log is the one that the canonical chain has at its place. */
  boolean isLog(JsonNode log) {
    long number = Long.decode(log.path("blockNumber").asText("0x0"));
    int index = Integer.decode(log.path("logIndex").asText("0x0"));
    if (chain().canonical(number) == null) {
      return false;
    }
    List<JsonNode> logs = logs(number);
    return index < logs.size() && equal(logs.get(index), log);
  }
}
