package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Carries a JSON-RPC error from the depth of a method to its caller. Never leaves the package. */
final class RpcException extends RuntimeException {

  private final transient RpcReply.Failure failure;

  RpcException(int code, String message) {
    this(code, message, null);
  }

  RpcException(int code, String message, @Nullable JsonNode data) {
    super(message, null, false, false);
    this.failure = new RpcReply.Failure(code, message, data);
  }

  static RpcException invalidParams(String message) {
    return new RpcException(-32602, message);
  }

  RpcReply.Failure failure() {
    return failure;
  }
}
