package dev.lasso.schemas;

import org.apache.kafka.common.errors.SerializationException;

/**
 * A key or value that this build cannot turn into a domain value. The only exception that the
 * catalogue's deserialisers throw for content, so that a reader counts it, writes a dead letter and
 * goes on. Its message never quotes the record's content.
 */
public final class UnreadableRecord extends SerializationException {
  /** Why a record could not be read. */
  public enum Reason {
    /** The key is not of the topic's form. */
    BAD_KEY("bad_key"),
    /** The value does not start with the marker of Avro's single-object encoding. */
    BAD_MARKER("bad_marker"),
    /** The value was written with a schema that this build does not have: a newer writer. */
    UNKNOWN_SCHEMA("unknown_schema"),
    /** The value ends before its schema does. */
    TRUNCATED("truncated"),
    /** The body does not fit its schema. */
    MALFORMED("malformed"),
    /** An enum symbol that this build does not know and cannot do without: a newer writer. */
    UNKNOWN_SYMBOL("unknown_symbol"),
    /** Every field was read, but together they are no valid domain value. */
    INVALID_VALUE("invalid_value");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    /** The word used in metric tags and logs. */
    public String word() {
      return word;
    }
  }

  private final Reason reason;

  UnreadableRecord(Reason reason, String detail) {
    super(detail);
    this.reason = reason;
  }

  UnreadableRecord(Reason reason, String detail, Throwable cause) {
    super(detail, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** What exactly was wrong, readable, without content of the record. */
  public String detail() {
    String message = getMessage();
    return message == null ? reason.word() : message;
  }
}
