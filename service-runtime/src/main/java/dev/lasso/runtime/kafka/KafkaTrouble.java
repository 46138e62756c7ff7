package dev.lasso.runtime.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** Why Kafka can't be used, as one sentence for the person who has to change something. */
final class KafkaTrouble {
  private KafkaTrouble() {}

  /**
   * Names the address, what failed and the cause at the bottom of it.
   *
   * @param bootstrap as configured
   */
  static String sentence(String bootstrap, Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof org.apache.kafka.common.errors.TimeoutException
        || cause instanceof TimeoutException) {
      return "Kafka at " + bootstrap + " does not answer";
    }
    String told = cause.getMessage();
    if (told != null && told.startsWith("Kafka at ")) {
      return told;
    }
    String advice =
        switch (cause) {
          case SaslAuthenticationException _ ->
              " (look at LASSO_KAFKA_SASL_MECHANISM and LASSO_KAFKA_SASL_JAAS_CONFIG)";
          case SslAuthenticationException _ -> " (look at LASSO_KAFKA_SSL_TRUSTSTORE_*)";
          default -> "";
        };
    return "Kafka at " + bootstrap + ": " + String.join(": ", messages(cause)) + advice;
  }

  /** What the failure and its causes say, without what one repeats of the next. */
  private static List<String> messages(Throwable failure) {
    List<String> messages = new ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      String said =
          message == null || message.isBlank()
              ? cause.getClass().getSimpleName()
              : message.strip().replaceAll("\\s*\\R\\s*", "; ");
      if (messages.isEmpty() || !messages.getLast().contains(said)) {
        messages.removeIf(earlier -> said.contains(earlier));
        messages.add(said);
      }
    }
    return messages;
  }
}
