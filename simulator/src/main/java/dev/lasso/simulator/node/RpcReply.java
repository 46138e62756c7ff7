package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What a node answers to one call. */
public sealed interface RpcReply {

  /** The call succeeded. */
  record Result(JsonNode value) implements RpcReply {}

  /** The call failed; the JSON-RPC error's fields. */
  record Failure(int code, String message, @Nullable JsonNode data) implements RpcReply {}

  /**
   * The call succeeded with a result too large to hold; see {@link BulkResult}.
   *
   * @param bytes size of the result's JSON
   */
  record Bulk(long bytes) implements RpcReply {}
}
