package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.ScannedAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Where the outcome of a call goes, before it carries anybody's id. Exactly one method is called,
 * once, on the call's event loop.
 */
interface Reply {
  /** A provider's result. */
  void result(JsonSlice result, AnswerInfo info);

  /** A provider's error. */
  void error(ScannedAnswer.RpcError error, AnswerInfo info);

  /** An error in our own words. */
  void fault(int code, String message, @Nullable JsonSlice data, AnswerInfo info);

  /** A large result on its way; what is returned takes its bytes. */
  AnswerSink.Stream stream(AnswerInfo info);
}
