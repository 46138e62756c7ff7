package dev.lasso.launcher;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** What went wrong, in one line for a person. */
final class Failures {
  private Failures() {}

  static String oneLine(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    @Nullable String message = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    if (message == null || message.isBlank()) {
      return kind;
    }
    return (cause instanceof Error ? kind + ": " : "")
        + message.strip().replaceAll("\\s*\\R\\s*", "; ")
        + bottom(cause, message);
  }

  /** What Kafka's clients hide below "SSL handshake failed" or "failed to construct". */
  private static String bottom(Throwable failure, String told) {
    Throwable bottom = failure;
    while (bottom.getCause() != null) {
      bottom = bottom.getCause();
    }
    @Nullable String message = bottom.getMessage();
    return failure instanceof KafkaException && message != null && !told.contains(message)
        ? ": " + message.strip().replaceAll("\\s*\\R\\s*", "; ")
        : "";
  }
}
