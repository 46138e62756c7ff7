package dev.lasso.engine.pipeline;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.snapshot.SnapshotPosition;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch under way: its items run side by side and their answers leave in order. Small answers are
 * gathered and leave together; once a large result is among them, the array is streamed and later
 * large ones wait for their turn. Where the caller asked for metadata in the body, each item
 * carries its own. One event loop.
 */
final class BatchRun implements RunningCall {
  private final RpcEngine engine;
  private final RpcTarget target;
  private final SnapshotPosition position;
  private final List<RequestBody.Item> items;
  private final AnswerSink sink;
  private final RequestId requestId;
  private final boolean explains;
  private final List<ItemSink> slots = new ArrayList<>();
  private final List<RunningCall> calls = new ArrayList<>();
  private final PinnedChannel pinned = new PinnedChannel();
  private @Nullable AnswerInfo firstInfo;
  private AnswerSink.@Nullable Stream out;
  private int nextOut;
  private boolean wroteAny;
  private boolean over;

  BatchRun(
      RpcEngine engine,
      RpcTarget target,
      SnapshotPosition position,
      List<RequestBody.Item> items,
      AnswerSink sink,
      RequestId requestId) {
    this.engine = engine;
    this.target = target;
    this.position = position;
    this.items = items;
    this.sink = sink;
    this.requestId = requestId;
    this.explains = target.options().metadata() == RequestOptions.Metadata.BODY;
  }

  void start() {
    for (RequestBody.Item item : items) {
      slots.add(new ItemSink(item));
    }
    for (int i = 0; i < items.size() && !over; i++) {
      calls.add(engine.call(target, position, items.get(i), pinned, requestId, slots.get(i)));
    }
    advance();
  }

  @Override
  public void cancel() {
    over = true;
    calls.forEach(RunningCall::cancel);
  }

  /** Lets out whatever is next in order and ready. */
  private void advance() {
    if (over || calls.size() < items.size()) {
      return;
    }
    if (out == null) {
      if (slots.stream().allMatch(ItemSink::settled)) {
        answerWhole();
        return;
      }
      if (slots.stream().noneMatch(slot -> slot.large != null)) {
        return;
      }
      AnswerInfo info = firstInfo;
      if (info == null) {
        return;
      }
      out = sink.stream(Buffer.buffer("["), info);
    }
    while (nextOut < slots.size() && slots.get(nextOut).writeTo(out)) {
      nextOut++;
    }
    if (nextOut == slots.size()) {
      over = true;
      out.end(Buffer.buffer("]"));
    }
  }

  private void answerWhole() {
    over = true;
    List<Buffer> answers = new ArrayList<>();
    for (ItemSink slot : slots) {
      if (slot.whole != null && !slot.silent) {
        answers.add(slot.whole);
      }
    }
    AnswerInfo info = firstInfo;
    if (info != null) {
      sink.answer(answers.isEmpty() ? Buffer.buffer() : Answers.batch(answers), info);
    }
  }

  private JsonSlice separator() {
    JsonSlice comma = JsonSlice.of(wroteAny ? "," : "");
    wroteAny = true;
    return comma;
  }

  private void broken() {
    if (!over) {
      AnswerSink.Stream stream = out;
      cancel();
      if (stream != null) {
        stream.abort();
      }
    }
  }

  /** The place of one item. */
  private final class ItemSink implements AnswerSink {
    private final boolean silent;
    private final JsonSlice id;
    private @Nullable Buffer whole;
    private @Nullable Large large;
    private boolean written;

    ItemSink(RequestBody.Item item) {
      this.silent = item instanceof RequestEnvelope call && call.notification();
      this.id = item.id() == null ? JsonSlice.NULL : item.id();
    }

    boolean settled() {
      return whole != null;
    }

    @Override
    public void answer(Buffer answer, AnswerInfo info) {
      whole = explains ? Metadata.into(answer, info) : answer;
      note(info);
      advance();
    }

    @Override
    public Stream stream(Buffer head, AnswerInfo info) {
      if (silent) {
        note(info);
        return new Unheard(this);
      }
      Large started = new Large(this, head, info);
      large = started;
      note(info);
      advance();
      return started;
    }

    /** Its result broke off before a byte of it left. */
    void brokeOff() {
      large = null;
      whole =
          Answers.error(id, new RpcFault(RpcFault.SERVER_ERROR, "The provider's answer broke off"));
      advance();
    }

    /** A batch is an answer even where its items have none. */
    private void note(AnswerInfo info) {
      if (firstInfo == null) {
        firstInfo = info.asPartOfBatch();
      }
    }

    /** Writes the item if it is ready; true when all of it has been written. */
    boolean writeTo(AnswerSink.Stream to) {
      if (written) {
        return true;
      }
      if (whole != null) {
        if (!silent) {
          to.write(separator());
          byte[] bytes = whole.getBytes();
          to.write(JsonSlice.of(bytes, 0, bytes.length));
        }
        written = true;
      } else if (large != null) {
        written = large.openTo(to);
      }
      return written;
    }
  }

  /** A large result in a batch: it holds its provider back until its turn comes. */
  private final class Large implements AnswerSink.Stream {
    private final ItemSink place;
    private final AnswerInfo info;
    private Buffer held;
    private AnswerSink.@Nullable Stream to;
    private @Nullable Runnable resume;
    private boolean ended;

    Large(ItemSink place, Buffer head, AnswerInfo info) {
      this.place = place;
      this.info = info;
      this.held = head;
    }

    boolean openTo(AnswerSink.Stream stream) {
      if (to == null) {
        to = stream;
        stream.write(separator());
        byte[] bytes = held.getBytes();
        held = Buffer.buffer();
        stream.write(JsonSlice.of(bytes, 0, bytes.length));
        Runnable waiting = resume;
        resume = null;
        if (waiting != null) {
          waiting.run();
        }
      }
      return ended;
    }

    @Override
    public void write(JsonSlice part) {
      if (to == null) {
        part.appendTo(held);
      } else {
        to.write(part);
      }
    }

    @Override
    public boolean full() {
      return to == null || to.full();
    }

    @Override
    public void onDrain(Runnable drained) {
      if (to == null) {
        resume = drained;
      } else {
        to.onDrain(drained);
      }
    }

    @Override
    public void end(Buffer tail) {
      byte[] bytes = (explains ? Metadata.into(tail, info) : tail).getBytes();
      write(JsonSlice.of(bytes, 0, bytes.length));
      ended = true;
      advance();
    }

    @Override
    public void abort() {
      if (to == null) {
        place.brokeOff();
      } else {
        broken();
      }
    }
  }

  /** The large result of a notification: read to its end, and nobody hears it. */
  private final class Unheard implements AnswerSink.NeverFull {
    private final ItemSink place;

    Unheard(ItemSink place) {
      this.place = place;
    }

    @Override
    public void write(JsonSlice part) {}

    @Override
    public void end(Buffer tail) {
      place.whole = tail;
      advance();
    }

    @Override
    public void abort() {
      place.brokeOff();
    }
  }
}
