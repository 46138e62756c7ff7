package dev.lasso.replay.read;

/** Reading ended before its end; the message is a sentence for a person. */
public final class ReadFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  ReadFailed(String message) {
    super(message);
  }
}
