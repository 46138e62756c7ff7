package dev.lasso.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.fault.FaultRule;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The control endpoint of every provider, for curl and black-box tests:
 *
 * <pre>
 * POST   /_sim/faults        body: one fault a line, or {"fault": "http:503 p=0.5"}
 * GET    /_sim/faults        what is in force
 * DELETE /_sim/faults[/ID]   clears all or one
 * GET    /_sim/stats         what was counted
 * GET    /_sim/requests      the newest calls received
 * GET    /_sim/chain         the chain and its head
 * POST   /_sim/mine?n=1      also fork?n=, rewind?n=, pause, resume
 * </pre>
 *
 * <p>{@code ?provider=ID} addresses another provider of the simulation, so that one whose port is
 * closed can be opened again. Thread-safe.
 */
final class ControlApi {

  static final String PREFIX = "/_sim/";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Map<String, SimProvider> providers = new ConcurrentHashMap<>();

  void register(SimProvider provider) {
    providers.put(provider.spec().id(), provider);
  }

  void handle(SimProvider receiver, HttpServerRequest request, Buffer body) {
    int status = 200;
    JsonNode answer;
    try {
      answer = answer(addressed(receiver, request), request, body);
      if (answer.isMissingNode()) {
        status = 404;
        answer = error("no such control endpoint: " + request.method() + " " + request.path());
      }
    } catch (IllegalArgumentException e) {
      status = 400;
      answer = error(String.valueOf(e.getMessage()));
    }
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .end(RpcExchange.text(answer) + "\n");
  }

  private SimProvider addressed(SimProvider receiver, HttpServerRequest request) {
    String id = request.getParam("provider");
    if (id == null) {
      return receiver;
    }
    SimProvider provider = providers.get(id);
    if (provider == null) {
      throw new IllegalArgumentException(
          "no provider '"
              + id
              + "', there are "
              + String.join(", ", new TreeMap<>(providers).keySet()));
    }
    return provider;
  }

  private JsonNode answer(SimProvider provider, HttpServerRequest request, Buffer body) {
    String path = SimProvider.path(request).substring(PREFIX.length());
    FaultBoard faults = provider.faults();
    SimChain chain = provider.node().chain();
    String route = request.method().name() + " " + path;
    return switch (route) {
      case "GET faults" -> faults(faults);
      case "POST faults" -> {
        rules(body).forEach(faults::pin);
        yield faults(faults);
      }
      case "DELETE faults" -> {
        faults.clear();
        yield faults(faults);
      }
      case "GET stats" -> stats(provider);
      case "GET requests" -> requests(provider);
      case "GET chain" -> chain(chain);
      case "POST mine", "POST fork", "POST rewind", "POST pause", "POST resume" -> {
        String number = request.getParam("n");
        ChainCommand.parse(number == null ? path : path + ":" + number).applyTo(chain);
        yield chain(chain);
      }
      default -> {
        if (!route.startsWith("DELETE faults/")) {
          yield JSON.missingNode();
        }
        clearOne(faults, path.substring("faults/".length()));
        yield faults(faults);
      }
    };
  }

  private static void clearOne(FaultBoard faults, String id) {
    try {
      if (faults.clear(Long.parseLong(id))) {
        return;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a fault's id is a number, was '" + id + "'", e);
    }
    throw new IllegalArgumentException("no fault " + id + " is in force");
  }

  /** Every rule of a body, read before any is pinned. */
  private static List<FaultRule> rules(Buffer body) {
    String text = body.toString().strip();
    if (text.isEmpty()) {
      throw new IllegalArgumentException("expected a fault such as 'http:503 p=0.5'");
    }
    if (!text.startsWith("{")) {
      return text.lines().filter(line -> !line.isBlank()).map(FaultRule::parse).toList();
    }
    JsonNode json;
    try {
      json = RpcExchange.JSON.readTree(text);
    } catch (IOException e) {
      throw new IllegalArgumentException("the body is neither a fault nor JSON", e);
    }
    if (!json.path("fault").isTextual()) {
      throw new IllegalArgumentException("expected {\"fault\": \"http:503 p=0.5\"}");
    }
    return List.of(FaultRule.parse(json.get("fault").asText()));
  }

  private static JsonNode faults(FaultBoard board) {
    ArrayNode faults = JSON.arrayNode();
    for (FaultBoard.InForce fault : board.inForce()) {
      faults
          .addObject()
          .put("id", fault.id())
          .put("fault", fault.rule().toString())
          .put("strikes", fault.strikes());
    }
    return JSON.objectNode().set("faults", faults);
  }

  private static JsonNode stats(SimProvider provider) {
    ProviderStats stats = provider.stats();
    ObjectNode json = JSON.objectNode();
    json.put("provider", provider.spec().id());
    json.put("chain", provider.spec().chain());
    json.put("head", provider.node().head().number());
    json.put("requests", stats.requests());
    ObjectNode byMethod = json.putObject("requestsByMethod");
    new TreeMap<>(stats.requestsByMethod()).forEach(byMethod::put);
    json.put("inFlight", stats.inFlight());
    json.put("connections", stats.connections());
    json.put("webSockets", stats.webSockets());
    json.put("subscriptions", stats.subscriptions());
    json.put("events", stats.events());
    ObjectNode strikes = json.putObject("strikes");
    new TreeMap<>(stats.strikes()).forEach(strikes::put);
    return json;
  }

  private static JsonNode requests(SimProvider provider) {
    ArrayNode requests = JSON.arrayNode();
    for (RecordedRequest request : provider.recordedRequests()) {
      ObjectNode entry =
          requests
              .addObject()
              .put("atMillis", request.atMillis())
              .put("transport", request.transport().name())
              .put("path", request.path())
              .put("method", request.method());
      if (!request.params().isMissingNode()) {
        entry.set("params", request.params());
      }
    }
    return JSON.objectNode().set("requests", requests);
  }

  private static JsonNode chain(SimChain chain) {
    SimBlock head = chain.head();
    return JSON.objectNode()
        .put("chain", chain.spec().name())
        .put("chainId", chain.spec().chainId())
        .put("number", head.number())
        .put("hash", head.hash())
        .put("paused", chain.paused());
  }

  private static JsonNode error(String message) {
    return JSON.objectNode().put("error", message);
  }
}
