package dev.lasso.engine.rpc;

/**
 * Why something is answered with a JSON-RPC error of our own (JSON-RPC 2.0, section 5.1).
 *
 * @param code the JSON-RPC error code
 * @param message what is wrong, for the caller
 */
public record RpcFault(int code, String message) {
  /** The text is not JSON. */
  public static final int PARSE_ERROR = -32700;

  /** JSON, but no request. */
  public static final int INVALID_REQUEST = -32600;

  /** The method is not offered. */
  public static final int METHOD_NOT_FOUND = -32601;

  /** The params don't fit the method. */
  public static final int INVALID_PARAMS = -32602;

  /** Lasso itself failed. */
  public static final int INTERNAL_ERROR = -32603;

  /** Nobody could serve, or a limit was hit; {@code data} says more. */
  public static final int SERVER_ERROR = -32000;

  static RpcFault parseError(String what, long position) {
    return new RpcFault(PARSE_ERROR, "Parse error: " + what + " at byte " + position);
  }

  static RpcFault invalidRequest(String what) {
    return new RpcFault(INVALID_REQUEST, "Invalid request: " + what);
  }
}
