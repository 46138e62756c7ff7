package dev.lasso.subscription;

import dev.lasso.engine.rpc.RpcCall;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** A call of one of the filter methods. */
sealed interface FilterRequest {
  /** {@code eth_newFilter}. */
  record NewLogs(FilterCriteria criteria) implements FilterRequest {}

  /** {@code eth_newBlockFilter}. */
  record NewBlocks() implements FilterRequest {}

  /**
   * {@code eth_newPendingTransactionFilter}.
   *
   * @param full the transactions themselves instead of their hashes
   */
  record NewPending(boolean full) implements FilterRequest {}

  /** {@code eth_getFilterChanges}. */
  record Changes(String id) implements FilterRequest {}

  /** {@code eth_getFilterLogs}. */
  record Logs(String id) implements FilterRequest {}

  /** {@code eth_uninstallFilter}. */
  record Uninstall(String id) implements FilterRequest {}

  /**
   * Reads a call.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static FilterRequest read(RpcCall call) {
    JsonArray params = params(call);
    return switch (call.method()) {
      case "eth_newFilter" ->
          new NewLogs(
              switch (first(params)) {
                case null -> FilterCriteria.read(new JsonObject());
                case JsonObject object -> FilterCriteria.read(object);
                default -> throw new IllegalArgumentException("the filter must be an object");
              });
      case "eth_newBlockFilter" -> new NewBlocks();
      case "eth_newPendingTransactionFilter" ->
          new NewPending(
              switch (first(params)) {
                case null -> false;
                case Boolean full -> full;
                default -> throw new IllegalArgumentException("the param must be true or false");
              });
      case "eth_getFilterChanges" -> new Changes(id(params));
      case "eth_getFilterLogs" -> new Logs(id(params));
      case "eth_uninstallFilter" -> new Uninstall(id(params));
      default -> throw new IllegalArgumentException("no filter method: " + call.method());
    };
  }

  private static JsonArray params(RpcCall call) {
    try {
      return new JsonArray(Buffer.buffer(call.params().toArray()));
    } catch (DecodeException | ClassCastException _) {
      throw new IllegalArgumentException("params must be an array");
    }
  }

  private static @Nullable Object first(JsonArray params) {
    return params.isEmpty() ? null : params.getValue(0);
  }

  private static String id(JsonArray params) {
    if (first(params) instanceof String id && id.length() <= 100) {
      return id;
    }
    throw new IllegalArgumentException("expected a filter id");
  }
}
