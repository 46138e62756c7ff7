package dev.lasso.schemas.trace;

/** A trace file can't be read or written; the message is a sentence for a person. */
public final class TraceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TraceException(String message) {
    super(message);
  }

  TraceException(String message, Throwable cause) {
    super(message, cause);
  }
}
