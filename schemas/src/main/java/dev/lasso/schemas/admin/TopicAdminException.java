package dev.lasso.schemas.admin;

import org.apache.kafka.common.KafkaException;

/** Kafka could not be asked, or refused to do something with topics. */
public final class TopicAdminException extends KafkaException {
  private static final long serialVersionUID = 1L;

  TopicAdminException(String message) {
    super(message);
  }

  TopicAdminException(String message, Throwable cause) {
    super(message, cause);
  }
}
