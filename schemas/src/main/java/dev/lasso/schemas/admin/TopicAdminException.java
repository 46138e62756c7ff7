package dev.lasso.schemas.admin;

/** Kafka could not be asked, or refused to do something with topics. */
public final class TopicAdminException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TopicAdminException(String message, Throwable cause) {
    super(message, cause);
  }
}
