package dev.lasso.subscription;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.pipeline.AnswerInfo;
import dev.lasso.engine.pipeline.AnswerSink;
import dev.lasso.engine.pipeline.Metadata;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcFault;
import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;

/**
 * Gathers the answer to one message of a socket. Frames of other messages may go out meanwhile, so
 * a large result is held until it is whole; one that breaks off or grows too long is replaced by an
 * error. The socket's event loop.
 */
final class SocketAnswerSink implements AnswerSink {
  private final JsonSlice id;
  private final RequestOptions.Metadata metadata;
  private final int maxBytes;
  private final Consumer<Buffer> whole;

  /**
   * A sink for one message.
   *
   * @param id id of the call, for an error in place of a result; null for a batch
   * @param maxBytes longest answer
   * @param whole given the answer once; an empty buffer when nothing is to be answered
   */
  SocketAnswerSink(
      JsonSlice id, RequestOptions.Metadata metadata, int maxBytes, Consumer<Buffer> whole) {
    this.id = id;
    this.metadata = metadata;
    this.maxBytes = maxBytes;
    this.whole = whole;
  }

  @Override
  public void answer(Buffer answer, AnswerInfo info) {
    whole.accept(
        metadata == RequestOptions.Metadata.BODY && answer.length() > 0 && answer.getByte(0) == '{'
            ? Metadata.into(answer, info)
            : answer);
  }

  @Override
  public Stream stream(Buffer head, AnswerInfo info) {
    return new Gathered(head);
  }

  private final class Gathered implements NeverFull {
    private Buffer gathered;
    private boolean tooLong;

    Gathered(Buffer head) {
      this.gathered = head;
    }

    @Override
    public void write(JsonSlice part) {
      if (tooLong) {
        return;
      }
      if ((long) gathered.length() + part.size() > maxBytes) {
        tooLong = true;
        gathered = Buffer.buffer();
      } else {
        part.appendTo(gathered);
      }
    }

    @Override
    public void end(Buffer tail) {
      whole.accept(
          tooLong
              ? Answers.error(
                  id,
                  new RpcFault(
                      RpcFault.SERVER_ERROR,
                      "The answer is longer than "
                          + maxBytes
                          + " bytes, the most that a WebSocket gets: use HTTP"))
              : gathered.appendBuffer(tail));
    }

    @Override
    public void abort() {
      whole.accept(
          Answers.error(
              id, new RpcFault(RpcFault.SERVER_ERROR, "The provider's answer broke off")));
    }
  }
}
