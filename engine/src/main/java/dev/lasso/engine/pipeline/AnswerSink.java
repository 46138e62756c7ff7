package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import io.vertx.core.buffer.Buffer;

/**
 * Where the answer to one call goes: an HTTP response, a place in a batch, a WebSocket. Called on
 * the request's event loop; exactly one of the two methods is called, once.
 */
public interface AnswerSink {
  /**
   * A whole JSON-RPC answer.
   *
   * @param answer belongs to the sink from now on
   */
  void answer(Buffer answer, AnswerInfo info);

  /**
   * The beginning of an answer whose result is on its way.
   *
   * @param head everything before the bytes of the result
   * @return takes the rest
   */
  Stream stream(Buffer head, AnswerInfo info);

  /** Takes a large result piece by piece. */
  interface Stream {
    /** The next bytes of the result. */
    void write(JsonSlice part);

    /** Whether the reader is behind: writing should pause until {@link #onDrain}. */
    boolean full();

    /** Calls back once, when it is no longer full. */
    void onDrain(Runnable resume);

    /**
     * The answer is complete.
     *
     * @param tail everything after the bytes of the result
     */
    void end(Buffer tail);

    /** The rest does not come: the reader must not take what it got for an answer. */
    void abort();
  }

  /** Takes pieces as fast as they come: no reader can be behind. */
  interface NeverFull extends Stream {
    @Override
    default boolean full() {
      return false;
    }

    @Override
    default void onDrain(Runnable resume) {
      resume.run();
    }
  }
}
