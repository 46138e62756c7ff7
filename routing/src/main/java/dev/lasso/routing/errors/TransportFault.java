package dev.lasso.routing.errors;

/**
 * How an attempt can fail without the upstream having said anything: seen by the client, not read
 * from an answer. A closed set; each has its class, so that the classifier need not guess from an
 * exception's text.
 */
public enum TransportFault {
  /** The name of the host does not resolve. */
  NAME_NOT_RESOLVED("host name does not resolve", ErrorClass.NETWORK_ERROR, false),
  CONNECTION_REFUSED("connection refused", ErrorClass.NETWORK_ERROR, false),
  /** No connection within the connect timeout. */
  CONNECT_TIMEOUT("no connection in time", ErrorClass.TIMEOUT, false),
  TLS_FAILED("TLS handshake failed", ErrorClass.NETWORK_ERROR, false),
  /** No free connection, or the WebSocket is not open: nothing was sent. */
  NOT_CONNECTED("no connection available", ErrorClass.NETWORK_ERROR, false),
  /** The WebSocket upgrade was refused. */
  UPGRADE_REFUSED("WebSocket upgrade refused", ErrorClass.NETWORK_ERROR, false),
  CONNECTION_RESET("connection reset", ErrorClass.NETWORK_ERROR, true),
  /** Closed before the whole answer was there. */
  CONNECTION_CLOSED("connection closed before the answer", ErrorClass.NETWORK_ERROR, true),
  /** No answer within the attempt's share of the deadline. */
  RESPONSE_TIMEOUT("no answer in time", ErrorClass.TIMEOUT, true),
  /** The answer began and then stopped coming. */
  BODY_STALLED("answer stopped coming", ErrorClass.TIMEOUT, true),
  /** HTTP itself was broken: bad status line, bad chunk, bad compression. */
  PROTOCOL_ERROR("broken HTTP or WebSocket framing", ErrorClass.MALFORMED, true),
  /** A 2xx answer whose body is no JSON-RPC response. */
  NOT_JSON_RPC("answer is no JSON-RPC", ErrorClass.MALFORMED, true),
  /** An answer for another request than the one sent. */
  WRONG_ID("answer has another id", ErrorClass.MALFORMED, true),
  /** Larger than this gateway takes from an upstream. */
  ANSWER_TOO_LARGE("answer larger than the limit", ErrorClass.RESPONSE_TOO_LARGE, true);

  private final String message;
  private final ErrorClass errorClass;
  private final boolean mayHaveArrived;

  TransportFault(String message, ErrorClass errorClass, boolean mayHaveArrived) {
    this.message = message;
    this.errorClass = errorClass;
    this.mayHaveArrived = mayHaveArrived;
  }

  /** What to say about it; holds nothing of the request, the answer or the address. */
  public String message() {
    return message;
  }

  public ErrorClass errorClass() {
    return errorClass;
  }

  /**
   * Whether the upstream may have received and acted on the request. When it can't have, even a
   * request that must be sent once may go to the next channel.
   */
  public boolean mayHaveArrived() {
    return mayHaveArrived;
  }
}
