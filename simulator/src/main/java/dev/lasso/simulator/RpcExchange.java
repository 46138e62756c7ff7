package dev.lasso.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.fault.Fault;
import dev.lasso.simulator.node.Answer;
import dev.lasso.simulator.node.BulkResult;
import dev.lasso.simulator.node.RpcReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One JSON-RPC message, single or batch, on its way through a provider: parsed, its calls answered
 * by the given function, the response written as text.
 *
 * @see <a href="https://www.jsonrpc.org/specification">JSON-RPC 2.0</a>
 */
final class RpcExchange {

  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final int MAX_BATCH = 1000;
  private static final JsonNode NULL = JsonNodeFactory.instance.nullNode();

  private final boolean batch;
  private final List<Entry> entries;

  private RpcExchange(boolean batch, List<Entry> entries) {
    this.batch = batch;
    this.entries = List.copyOf(entries);
  }

  /** Answers one call. */
  interface Responder {
    Answer answer(String method, JsonNode params, JsonNode id);
  }

  private record Entry(JsonNode id, Answer answer) {
    boolean isNotification() {
      return id.isMissingNode();
    }
  }

  static RpcExchange run(byte[] message, Responder responder) {
    JsonNode root;
    try {
      root = JSON.readTree(message);
    } catch (IOException e) {
      return new RpcExchange(false, List.of(failure(NULL, -32700, "parse error")));
    }
    if (!root.isArray()) {
      return new RpcExchange(false, List.of(entry(root, responder)));
    }
    if (root.isEmpty()) {
      return new RpcExchange(false, List.of(failure(NULL, -32600, "empty batch")));
    }
    if (root.size() > MAX_BATCH) {
      return new RpcExchange(false, List.of(failure(NULL, -32600, "batch too large")));
    }
    List<Entry> entries = new ArrayList<>(root.size());
    for (JsonNode element : root) {
      entries.add(entry(element, responder));
    }
    return new RpcExchange(true, entries);
  }

  private static Entry entry(JsonNode call, Responder responder) {
    JsonNode id = call.path("id");
    boolean idValid = id.isMissingNode() || id.isNull() || id.isNumber() || id.isTextual();
    if (!call.isObject() || !call.path("method").isTextual() || !idValid) {
      return failure(idValid && !id.isMissingNode() ? id : NULL, -32600, "invalid request");
    }
    return new Entry(id, responder.answer(call.get("method").asText(), call.path("params"), id));
  }

  private static Entry failure(JsonNode id, int code, String message) {
    return new Entry(
        id, new Answer(new RpcReply.Failure(code, message, null), Duration.ZERO, null));
  }

  int calls() {
    return entries.size();
  }

  /** The longest delay of the calls. */
  Duration delay() {
    return entries.stream()
        .map(entry -> entry.answer().delay())
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** The first fault the transport has to act out. */
  Fault.@Nullable OnTransport disruption() {
    for (Entry entry : entries) {
      Fault.OnTransport disruption = entry.answer().disruption();
      if (disruption != null && !(disruption instanceof Fault.WrongId)) {
        return disruption;
      }
    }
    return null;
  }

  /** Whether nothing is to be answered: only notifications. */
  boolean isSilent() {
    return entries.stream().allMatch(Entry::isNotification);
  }

  /** The response. */
  ReplyBody body() {
    ReplyBody body = new ReplyBody();
    boolean first = true;
    body.add(batch ? "[" : "");
    for (Entry entry : entries) {
      if (!entry.isNotification()) {
        body.add(first ? "" : ",");
        write(entry, entry.answer().reply(), body);
        first = false;
      }
    }
    return body.add(batch ? "]" : "");
  }

  /** A response in which every call failed alike. */
  ReplyBody failedBody(RpcReply.Failure failure) {
    ReplyBody body = new ReplyBody();
    boolean first = true;
    body.add(batch ? "[" : "");
    for (Entry entry : entries) {
      body.add(first ? "" : ",");
      write(entry, failure, body);
      first = false;
    }
    return body.add(batch ? "]" : "");
  }

  private static void write(Entry entry, RpcReply reply, ReplyBody body) {
    JsonNode id = entry.id();
    if (entry.answer().disruption() instanceof Fault.WrongId) {
      id = JsonNodeFactory.instance.textNode("not-" + id.asText());
    }
    String start = "{\"jsonrpc\":\"2.0\",\"id\":" + text(id.isMissingNode() ? NULL : id);
    switch (reply) {
      case RpcReply.Result(JsonNode value) -> body.add(start + ",\"result\":" + text(value) + "}");
      case RpcReply.Bulk(long bytes) ->
          body.add(start + ",\"result\":").add(new BulkResult(bytes)).add("}");
      case RpcReply.Failure(int code, String message, JsonNode data) -> {
        ObjectNode error = JsonNodeFactory.instance.objectNode();
        error.put("code", code).put("message", message);
        if (data != null) {
          error.set("data", data);
        }
        body.add(start + ",\"error\":" + text(error) + "}");
      }
    }
  }

  static String text(JsonNode node) {
    try {
      return JSON.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
