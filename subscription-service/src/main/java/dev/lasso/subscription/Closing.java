package dev.lasso.subscription;

/** Why a client's WebSocket is closed from here, with the close code for it (RFC 6455, 7.4.1). */
enum Closing {
  /** The process goes away. */
  STOPPING(1001, "stopping"),
  /** What waits for the client has become too much. */
  SLOW_READER(1008, "slow_reader"),
  /** The client answers no pings. */
  NO_PONG(1008, "no_pong"),
  /** What the client asks for is no longer served. */
  NOT_SERVED(1008, "not_served"),
  /** The client sent too long a message. */
  MESSAGE_TOO_LONG(1009, "message_too_long"),
  /** The stream can't go on without a hole, which the client's profile does not allow. */
  STREAM_HOLE(1013, "stream_hole");

  private final short code;
  private final String word;

  Closing(int code, String word) {
    this.code = (short) code;
    this.word = word;
  }

  short code() {
    return code;
  }

  /** As meters tag it. */
  String word() {
    return word;
  }
}
