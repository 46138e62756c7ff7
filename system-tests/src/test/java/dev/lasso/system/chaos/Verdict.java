package dev.lasso.system.chaos;

import com.fasterxml.jackson.databind.JsonNode;

/** What an answer was worth. */
sealed interface Verdict {
  /** As it must be. */
  record Right() implements Verdict {}

  /**
   * An error that says that no provider answered within the method's deadline: true, and no answer.
   *
   * @param said the answer
   */
  record Late(String said) implements Verdict {}

  /**
   * Anything else.
   *
   * @param objection what is wrong
   */
  record Wrong(String objection) implements Verdict {}

  /** Whether an error says that the deadline passed, whoever was asked. */
  static boolean isLate(JsonNode error) {
    if (error.path("message").asText().contains("deadline passed")) {
      return true;
    }
    JsonNode attempts = error.path("data").path("attempts");
    for (JsonNode attempt : attempts) {
      if (!attempt.path("error").asText().equals("timeout")) {
        return false;
      }
    }
    return !attempts.isEmpty();
  }

  /** The worse of two. */
  default Verdict and(Verdict other) {
    return switch (this) {
      case Wrong _ -> this;
      case Late _ -> other instanceof Wrong ? other : this;
      case Right _ -> other;
    };
  }
}
