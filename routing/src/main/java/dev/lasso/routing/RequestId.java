package dev.lasso.routing;

/**
 * Names one client request through logs, events and answers; not the JSON-RPC id, which is the
 * client's own.
 *
 * @param value not blank, at most 128 characters
 */
public record RequestId(String value) {
  public RequestId {
    if (value.isBlank() || value.length() > 128) {
      throw new IllegalArgumentException("request id must have 1 to 128 characters");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
