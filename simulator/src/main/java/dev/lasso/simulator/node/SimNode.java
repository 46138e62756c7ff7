package dev.lasso.simulator.node;

import static dev.lasso.simulator.node.EthJson.JSON;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.ChainListener;
import dev.lasso.simulator.chain.ChainUpdate;
import dev.lasso.simulator.chain.Hex;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.chain.SimTransaction;
import dev.lasso.simulator.fault.Fault;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.fault.Transport;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A simulated node: a view on a chain, the JSON-RPC methods over it, and subscriptions. No network
 * and no time of its own, so thousands of seeded runs need neither ports nor waiting; {@code
 * SimProvider} puts it behind a port.
 *
 * <p>Thread-safe: everything runs under the chain's lock. Subscribers are called on the thread that
 * changed the chain or the faults.
 */
public final class SimNode implements AutoCloseable {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final SimChain chain;
  private final NodeSpec spec;
  private final FaultBoard faults;
  private final NodeView view;
  private final Subscriptions subscriptions;
  private final BlockSelector blocks;
  private final Map<String, Method> methods = new HashMap<>();
  private final SimChain.Registration registration;
  private boolean syncing;

  /** One JSON-RPC method. */
  interface Method {
    JsonNode call(Params params);
  }

  /**
   * A node on a chain.
   *
   * @param faults the faults it obeys
   * @param seed its subscription ids follow from it
   */
  public SimNode(SimChain chain, NodeSpec spec, FaultBoard faults, long seed) {
    this.chain = chain;
    this.spec = spec;
    this.faults = faults;
    this.view = new NodeView(chain, faults, spec.headOffset());
    this.subscriptions = new Subscriptions(faults, spec.subscriptionIds(), seed);
    this.blocks = new BlockSelector(chain, view, spec);
    methods.putAll(new BlockMethods(chain, view, blocks, spec).table());
    methods.putAll(new StateMethods(chain, view, blocks).table());
    methods.put("eth_chainId", params -> JSON.textNode(Hex.quantity(chain.spec().chainId())));
    methods.put("net_version", params -> JSON.textNode(Long.toString(chain.spec().chainId())));
    methods.put("net_listening", params -> JSON.booleanNode(true));
    methods.put("net_peerCount", params -> JSON.textNode("0x32"));
    methods.put("web3_clientVersion", params -> JSON.textNode(spec.clientVersion()));
    methods.put("eth_accounts", params -> JSON.arrayNode());
    methods.put("eth_syncing", params -> syncStatus());
    registration = chain.listen(new Follower());
    faults.listen(this::faultsChanged);
  }

  /** The chain this node sees. */
  public SimChain chain() {
    return chain;
  }

  /** The faults this node obeys. */
  public FaultBoard faults() {
    return faults;
  }

  /** The block this node takes for the newest. */
  public SimBlock head() {
    return chain.atomically(view::head);
  }

  /** Answers a call as the node would without faults of single calls. */
  public RpcReply call(String method, JsonNode params) {
    return chain.atomically(
        () -> {
          try {
            return dispatch(method, new Params(params));
          } catch (RpcException e) {
            return e.failure();
          }
        });
  }

  /** Answers a call after letting the faults strike. */
  public Answer answer(String method, JsonNode params, Transport transport) {
    return disturbed(method, transport, () -> call(method, params));
  }

  /**
   * Subscribes as {@code eth_subscribe} does, faults included. On success the result is the
   * subscription's id, and events may arrive before this method returns.
   */
  public Answer subscribe(JsonNode params, Subscriber subscriber) {
    return disturbed(
        "eth_subscribe",
        Transport.WS,
        () ->
            chain.atomically(
                () -> {
                  try {
                    String id = subscriptions.subscribe(params, subscriber);
                    return new RpcReply.Result(JSON.textNode(id));
                  } catch (RpcException e) {
                    return e.failure();
                  }
                }));
  }

  /** Unsubscribes as {@code eth_unsubscribe} does, faults included; only the owner can. */
  public Answer unsubscribe(JsonNode params, Subscriber subscriber) {
    return disturbed(
        "eth_unsubscribe",
        Transport.WS,
        () ->
            chain.atomically(
                () ->
                    subscriptions.unsubscribe(params.path(0).asText(), subscriber)
                        ? new RpcReply.Result(JSON.booleanNode(true))
                        : new RpcReply.Failure(-32000, "subscription not found", null)));
  }

  /** Ends all subscriptions of a subscriber whose connection closed. */
  public void forget(Subscriber subscriber) {
    chain.atomically(
        () -> {
          subscriptions.unsubscribeAll(subscriber);
          return true;
        });
  }

  /** Number of subscriptions now. */
  public int subscriptionCount() {
    return chain.atomically(subscriptions::count);
  }

  /** Number of events sent to subscribers so far. */
  public long eventsDelivered() {
    return chain.atomically(subscriptions::delivered);
  }

  /** Stops following the chain. */
  @Override
  public void close() {
    registration.close();
  }

  private RpcReply dispatch(String name, Params params) {
    if (!params.json().isArray() && !params.json().isMissingNode() && !params.json().isNull()) {
      throw RpcException.invalidParams("non-array args");
    }
    if (name.equals("debug_traceBlockByNumber")) {
      if (blocks.block(params, 0) == null) {
        throw new RpcException(-32000, "block not found");
      }
      return new RpcReply.Bulk(params.at(1).path("simBytes").asLong(spec.traceBytes()));
    }
    if (name.equals("eth_subscribe") || name.equals("eth_unsubscribe")) {
      throw new RpcException(-32601, "notifications not supported");
    }
    Method method = methods.get(name);
    if (method == null) {
      throw new RpcException(-32601, "the method " + name + " does not exist/is not available");
    }
    return new RpcReply.Result(method.call(params));
  }

  private interface Undisturbed {
    RpcReply reply();
  }

  /** Lets the faults strike; a fault that replaces the reply keeps the method from running. */
  private Answer disturbed(String method, Transport transport, Undisturbed call) {
    Duration delay = Duration.ZERO;
    RpcReply replacement = null;
    Fault.OnTransport disruption = null;
    boolean nullResult = false;
    long otherChain = 0;
    for (Fault.OnRequest fault : faults.strike(method, transport)) {
      switch (fault) {
        case Fault.Delay(Duration time) -> delay = delay.plus(time);
        case Fault.RpcError(int code, String message, String data) ->
            replacement = new RpcReply.Failure(code, message, json(data));
        case Fault.Unsupported _ ->
            replacement =
                new RpcReply.Failure(
                    -32601, "the method " + method + " does not exist/is not available", null);
        case Fault.NullResult _ -> nullResult = true;
        case Fault.WrongChain(long chainId) -> otherChain = chainId;
        case Fault.OnTransport onTransport -> disruption = onTransport;
      }
    }
    if (replacement == null && nullResult) {
      replacement = new RpcReply.Result(JSON.nullNode());
    }
    if (replacement == null && otherChain != 0 && method.equals("eth_chainId")) {
      replacement = new RpcReply.Result(JSON.textNode(Hex.quantity(otherChain)));
    }
    if (replacement == null && otherChain != 0 && method.equals("net_version")) {
      replacement = new RpcReply.Result(JSON.textNode(Long.toString(otherChain)));
    }
    boolean refused = disruption instanceof Fault.Http || disruption instanceof Fault.RateLimited;
    if (replacement == null && refused) {
      replacement = new RpcReply.Failure(-32005, "request refused", null);
    }
    return new Answer(replacement == null ? call.reply() : replacement, delay, disruption);
  }

  private static @Nullable JsonNode json(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      return JSON.textNode(text);
    }
  }

  private JsonNode syncStatus() {
    if (!syncing) {
      return JSON.booleanNode(false);
    }
    long head = view.head().number();
    ObjectNode status = JSON.objectNode();
    status.put("startingBlock", Hex.quantity(Math.max(0, head - 1000)));
    status.put("currentBlock", Hex.quantity(head));
    status.put("highestBlock", Hex.quantity(head + 1000));
    return status;
  }

  private JsonNode syncEvent() {
    if (!syncing) {
      return JSON.booleanNode(false);
    }
    ObjectNode event = JSON.objectNode().put("syncing", true);
    event.set("status", syncStatus());
    return event;
  }

  private void faultsChanged() {
    chain.atomically(
        () -> {
          boolean now = !faults.standing(Fault.Syncing.class).isEmpty();
          if (now != syncing) {
            syncing = now;
            subscriptions.syncChanged(this::syncEvent);
          }
          subscriptions.moved(view.refresh());
          return List.of();
        });
  }

  private final class Follower implements ChainListener {
    @Override
    public void chainUpdated(ChainUpdate update) {
      subscriptions.moved(view.refresh());
    }

    @Override
    public void transactionPending(SimTransaction transaction) {
      subscriptions.pending(transaction);
    }
  }
}
