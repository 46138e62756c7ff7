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
  private final AnswerBytes.Share share;
  private final Consumer<Buffer> whole;

  /**
   * A sink for one message.
   *
   * @param id id of the call, for an error in place of a result; null for a batch
   * @param share counts what is gathered; whoever made it releases it
   * @param whole given the answer once; an empty buffer when nothing is to be answered
   */
  SocketAnswerSink(
      JsonSlice id,
      RequestOptions.Metadata metadata,
      AnswerBytes.Share share,
      Consumer<Buffer> whole) {
    this.id = id;
    this.metadata = metadata;
    this.share = share;
    this.whole = whole;
  }

  @Override
  public void answer(Buffer answer, AnswerInfo info) {
    AnswerBytes.Taken taken = share.take(answer.length());
    if (taken != AnswerBytes.Taken.HELD) {
      whole.accept(refusal(taken));
      return;
    }
    whole.accept(
        metadata == RequestOptions.Metadata.BODY && answer.length() > 0 && answer.getByte(0) == '{'
            ? Metadata.into(answer, info)
            : answer);
  }

  @Override
  public Stream stream(Buffer head, AnswerInfo info) {
    return new Gathered(head);
  }

  private Buffer refusal(AnswerBytes.Taken why) {
    String words =
        why == AnswerBytes.Taken.TOO_LONG
            ? "The answer is longer than "
                + share.most()
                + " bytes, the most that a WebSocket gets: use HTTP"
            : "Too many long answers at once for the WebSockets of this process: ask again, or use"
                + " HTTP";
    return Answers.error(id, new RpcFault(RpcFault.SERVER_ERROR, words));
  }

  private final class Gathered implements NeverFull {
    private Buffer gathered = Buffer.buffer();
    private AnswerBytes.Taken taken;

    Gathered(Buffer head) {
      this.taken = share.take(head.length());
      if (taken == AnswerBytes.Taken.HELD) {
        gathered.appendBuffer(head);
      }
    }

    @Override
    public void write(JsonSlice part) {
      if (taken != AnswerBytes.Taken.HELD) {
        return;
      }
      taken = share.take(part.size());
      if (taken == AnswerBytes.Taken.HELD) {
        part.appendTo(gathered);
      } else {
        drop();
      }
    }

    private void drop() {
      share.release(gathered.length());
      gathered = Buffer.buffer();
    }

    @Override
    public void end(Buffer tail) {
      whole.accept(taken == AnswerBytes.Taken.HELD ? gathered.appendBuffer(tail) : refusal(taken));
    }

    @Override
    public void abort() {
      drop();
      whole.accept(
          Answers.error(
              id, new RpcFault(RpcFault.SERVER_ERROR, "The provider's answer broke off")));
    }
  }
}
