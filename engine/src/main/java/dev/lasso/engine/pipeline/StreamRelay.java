package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.upstream.ResultStream;
import dev.lasso.engine.upstream.TransportFault;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes a large result from a provider to its reader, no faster than the reader takes it, so that
 * memory does not grow with the result. One event loop.
 */
final class StreamRelay implements ResultStream.Reader {
  private final AnswerSink.Stream to;
  private final ResultStream from;
  private @Nullable Consumer<@Nullable TransportFault> done;

  StreamRelay(AnswerSink.Stream to, ResultStream from) {
    this.to = to;
    this.from = from;
  }

  /**
   * Lets it flow.
   *
   * @param whenDone told once what broke it, null when it was complete
   */
  void run(Consumer<@Nullable TransportFault> whenDone) {
    done = whenDone;
    to.write(from.head());
    from.start(this);
    holdWhileFull();
  }

  @Override
  public void bytes(JsonSlice part) {
    to.write(part);
    holdWhileFull();
  }

  private void holdWhileFull() {
    if (done != null && to.full()) {
      from.pause();
      to.onDrain(from::resume);
    }
  }

  @Override
  public void complete() {
    finish(null);
    to.end(Answers.resultTail());
  }

  @Override
  public void broken(TransportFault fault) {
    finish(fault);
    to.abort();
  }

  private void finish(@Nullable TransportFault fault) {
    Consumer<@Nullable TransportFault> told = done;
    done = null;
    if (told != null) {
      told.accept(fault);
    }
  }
}
