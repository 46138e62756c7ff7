package dev.lasso.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A service of a process can't be started. The message names it and says why; it is fit for a
 * person's eyes without the stack.
 */
public final class StartFailedException extends RuntimeException {
  private final String service;
  private final String reason;

  StartFailedException(String service, String reason, @Nullable Throwable cause) {
    super(service + " did not start: " + reason, cause);
    this.service = service;
    this.reason = reason;
  }

  /** The name of the service. */
  public String service() {
    return service;
  }

  /** Why, without the name. */
  public String reason() {
    return reason;
  }
}
