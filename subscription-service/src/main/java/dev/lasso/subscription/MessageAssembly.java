package dev.lasso.subscription;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import org.jspecify.annotations.Nullable;

/**
 * Puts the frames of a client's messages together, text or binary. Belongs to the socket's event
 * loop.
 */
final class MessageAssembly {
  private final int maxBytes;
  private @Nullable Buffer partial;

  MessageAssembly(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** What a frame led to. */
  sealed interface Step {
    /** More frames are needed, or it was a control frame. */
    record Incomplete() implements Step {}

    /** A message is complete. */
    record Complete(Buffer message) implements Step {}

    /** The message is longer than allowed. */
    record TooLong() implements Step {}
  }

  Step add(WebSocketFrame frame) {
    if (!frame.isText() && !frame.isBinary() && !frame.isContinuation()) {
      return new Step.Incomplete();
    }
    Buffer data = frame.binaryData();
    Buffer before = partial;
    if ((long) data.length() + (before == null ? 0 : before.length()) > maxBytes) {
      partial = null;
      return new Step.TooLong();
    }
    if (!frame.isFinal()) {
      partial = before == null ? data.copy() : before.appendBuffer(data);
      return new Step.Incomplete();
    }
    partial = null;
    return new Step.Complete(before == null ? data : before.appendBuffer(data));
  }
}
