package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.ScannedAnswer;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the outcome of a call as the JSON-RPC answer to one caller.
 *
 * @param id the caller's id, as it is written back
 * @param sink takes the answer
 */
record SinkReply(JsonSlice id, AnswerSink sink) implements Reply {
  private static final int ERROR_BYTES = 256;

  @Override
  public void result(JsonSlice result, AnswerInfo info) {
    sink.answer(Answers.result(id, result), info);
  }

  @Override
  public void error(ScannedAnswer.RpcError error, AnswerInfo info) {
    sink.answer(Answers.appendError(Buffer.buffer(ERROR_BYTES), id, error), info);
  }

  @Override
  public void fault(int code, String message, @Nullable JsonSlice data, AnswerInfo info) {
    sink.answer(Answers.error(id, code, message, data), info);
  }

  @Override
  public AnswerSink.Stream stream(AnswerInfo info) {
    return sink.stream(Answers.resultHead(id), info);
  }
}
