package dev.lasso.routing.errors;

import org.jspecify.annotations.Nullable;

/**
 * What an upstream said when it did not answer with a result. The body of a non-2xx answer is read
 * as JSON-RPC first; when it is none, its text is the message.
 *
 * @param httpStatus the HTTP status, or null over WebSocket
 * @param code the JSON-RPC code, or a WebSocket close code, or null
 * @param message the JSON-RPC message, the close reason, or the text of a body that is no JSON-RPC;
 *     null when there was none
 * @param data the JSON text of the error's {@code data}, or null
 */
public record UpstreamError(
    @Nullable Integer httpStatus,
    @Nullable Integer code,
    @Nullable String message,
    @Nullable String data) {

  /** A JSON-RPC error object without data. */
  public static UpstreamError of(@Nullable Integer httpStatus, int code, String message) {
    return new UpstreamError(httpStatus, code, message, null);
  }

  /** An HTTP answer whose body is no JSON-RPC. */
  public static UpstreamError http(int status, @Nullable String body) {
    return new UpstreamError(status, null, body, null);
  }

  /** A WebSocket close frame (RFC 6455, 7.4). */
  public static UpstreamError close(int closeCode, @Nullable String reason) {
    return new UpstreamError(null, closeCode, reason, null);
  }
}
