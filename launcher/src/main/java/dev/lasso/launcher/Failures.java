package dev.lasso.launcher;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
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
        + message.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
