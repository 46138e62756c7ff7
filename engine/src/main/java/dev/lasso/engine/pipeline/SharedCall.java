package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.routing.RequestId;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call that several callers wait for. It lives on the event loop of the caller that began it;
 * others join from wherever they are and hear of the outcome there. Every caller keeps its id, its
 * deadline and its right to go away; when all have gone, so does the call.
 *
 * <p>What can't be shared is not: a caller that finds the call over, one for whom a very large
 * result has no second copy, and one with time left when the others' time ran out make their call
 * alone.
 */
final class SharedCall implements Reply {
  private static final Logger log = LoggerFactory.getLogger(SharedCall.class);
  private static final RunningCall NOTHING = () -> {};

  /** So often, in the time of a deadline, it is seen whether a large result still comes. */
  private static final int LOOKS = 5;

  /** A large result that comes slowly is gathered for so many deadlines. */
  private static final int MOST_DEADLINES = 3;

  private final Context loop;
  private final long deadlineMs;
  private final int maxSharedBytes;
  private final long startedNs = System.nanoTime();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final List<Member> members = new ArrayList<>(2);
  private Runnable whenOver = () -> {};
  private RunningCall run = NOTHING;
  private boolean over;
  private @Nullable Member streamed;

  SharedCall(Context loop, long deadlineMs, int maxSharedBytes) {
    this.loop = loop;
    this.deadlineMs = deadlineMs;
    this.maxSharedBytes = maxSharedBytes;
  }

  void whenOver(Runnable action) {
    whenOver = action;
  }

  /**
   * Whether the asker is the first, and has to {@link #begin} the call after joining. Only on the
   * call's own event loop is anybody: another that finds the call before its maker got here joins.
   */
  boolean claim(Context by) {
    return loop.equals(by) && begun.compareAndSet(false, true);
  }

  /**
   * Takes part in the call.
   *
   * @param on the caller's event loop
   * @param reply gets the outcome there
   * @param alone makes the call for this caller only, on its event loop
   */
  RunningCall join(Context on, RequestId requestId, Reply reply, Supplier<RunningCall> alone) {
    Member member = new Member(on, requestId, reply, alone);
    onLoop(loop, on, () -> add(member));
    return member;
  }

  /** Runs the call, on its event loop. */
  void begin(Supplier<RunningCall> start) {
    if (over) {
      return; // everybody left before it began
    }
    RunningCall started = start.get();
    if (!over || streamed != null) {
      run = started;
    }
  }

  private void add(Member member) {
    if (over) {
      member.goAlone();
    } else if (!member.gone) {
      members.add(member);
    }
  }

  private void leave(Member member) {
    boolean wasStreamed = streamed != null && streamed.equals(member);
    if (wasStreamed || (members.remove(member) && members.isEmpty() && !over)) {
      end();
      run.cancel();
    }
  }

  private List<Member> end() {
    over = true;
    whenOver.run();
    List<Member> all = List.copyOf(members);
    members.clear();
    return all;
  }

  @Override
  public void result(JsonSlice result, AnswerInfo info) {
    share(info, (reply, own) -> reply.result(result, own));
  }

  @Override
  public void error(ScannedAnswer.RpcError error, AnswerInfo info) {
    share(info, (reply, own) -> reply.error(error, own));
  }

  private void share(AnswerInfo info, BiConsumer<Reply, AnswerInfo> give) {
    for (Member member : end()) {
      member.answer(info, give);
    }
  }

  @Override
  public void fault(int code, String message, @Nullable JsonSlice data, AnswerInfo info) {
    boolean ranOutOfTime = CallRecord.msSince(startedNs) >= deadlineMs / 2.0;
    for (Member member : end()) {
      if (ranOutOfTime && CallRecord.msSince(member.joinedNs) < deadlineMs / 2.0) {
        member.goAlone();
      } else {
        member.answer(info, (reply, own) -> reply.fault(code, message, data, own));
      }
    }
  }

  @Override
  public AnswerSink.Stream stream(AnswerInfo info) {
    return members.size() > 1 ? new Gathered(info) : relay(info);
  }

  /** Gives the rest to one caller; the others ask for themselves. */
  private AnswerSink.Stream relay(AnswerInfo info) {
    AnswerSink.Stream stream = null;
    for (Member member : end()) {
      if (stream == null && member.on.equals(loop) && !member.gone) {
        streamed = member;
        stream = member.reply.stream(info.forCaller(member.requestId, info.totalMs()));
      } else {
        member.goAlone();
      }
    }
    return stream == null ? new Discarded() : stream;
  }

  /** One caller. */
  private final class Member implements RunningCall {
    private final Context on;
    private final RequestId requestId;
    private final Reply reply;
    private final Supplier<RunningCall> alone;
    private final long joinedNs = System.nanoTime();
    private RunningCall own = NOTHING;
    private volatile boolean gone;

    Member(Context on, RequestId requestId, Reply reply, Supplier<RunningCall> alone) {
      this.on = on;
      this.requestId = requestId;
      this.reply = reply;
      this.alone = alone;
    }

    @Override
    public void cancel() {
      gone = true;
      own.cancel();
      onLoop(loop, on, () -> leave(this));
    }

    void answer(AnswerInfo info, BiConsumer<Reply, AnswerInfo> give) {
      onLoop(
          on,
          loop,
          () -> {
            if (!gone) {
              try {
                give.accept(reply, info.forCaller(requestId, CallRecord.msSince(joinedNs)));
              } catch (RuntimeException e) { // the others wait for their answers
                log.atError().setCause(e).log("answer could not be given to a caller");
              }
            }
          });
    }

    void goAlone() {
      onLoop(
          on,
          loop,
          () -> {
            if (!gone) {
              own = alone.get();
            }
          });
    }
  }

  /**
   * Holds a large result that several callers wait for, so that all get it. One that grows beyond
   * {@link #maxSharedBytes} flows on to one of them.
   */
  private final class Gathered implements AnswerSink.Stream {
    private final AnswerInfo info;
    private Buffer bytes = Buffer.buffer();
    private AnswerSink.@Nullable Stream to;

    private long timer;
    private int before;

    Gathered(AnswerInfo info) {
      this.info = info;
      look();
    }

    private void look() {
      timer = loop.owner().setTimer(Math.max(1, deadlineMs / LOOKS), _ -> judge());
    }

    /**
     * One that stands still is given up: nobody has any of it yet, so all can still be served by
     * another provider. One that comes, but takes for ever, flows on to one caller.
     */
    private void judge() {
      if (to != null || over) {
        return;
      }
      if (bytes.length() == before) {
        List<Member> all = SharedCall.this.end();
        run.cancel();
        all.forEach(Member::goAlone);
      } else if (CallRecord.msSince(startedNs) > MOST_DEADLINES * deadlineMs) {
        flowOn();
      } else {
        before = bytes.length();
        look();
      }
    }

    private void flowOn() {
      to = relay(info);
      to.write(gathered());
      bytes = Buffer.buffer();
    }

    @Override
    public void write(JsonSlice part) {
      if (to != null) {
        to.write(part);
        return;
      }
      part.appendTo(bytes);
      if (bytes.length() > maxSharedBytes) {
        loop.owner().cancelTimer(timer);
        flowOn();
      }
    }

    private JsonSlice gathered() {
      byte[] result = bytes.getBytes();
      return JsonSlice.of(result, 0, result.length);
    }

    @Override
    public boolean full() {
      return to != null && to.full();
    }

    @Override
    public void onDrain(Runnable resume) {
      if (to == null) {
        resume.run();
      } else {
        to.onDrain(resume);
      }
    }

    @Override
    public void end(Buffer tail) {
      loop.owner().cancelTimer(timer);
      if (to == null) {
        result(gathered(), info);
      } else {
        to.end(tail);
      }
    }

    @Override
    public void abort() {
      loop.owner().cancelTimer(timer);
      if (to == null) {
        SharedCall.this.end().forEach(Member::goAlone);
      } else {
        to.abort();
      }
    }
  }

  private static void onLoop(Context to, Context current, Runnable action) {
    if (to.equals(current)) {
      action.run();
    } else {
      to.runOnContext(_ -> action.run());
    }
  }

  /** Takes a large result that nobody on this event loop waits for any more. */
  private final class Discarded implements AnswerSink.Stream {
    @Override
    public void write(JsonSlice part) {
      loop.runOnContext(_ -> run.cancel());
    }

    @Override
    public boolean full() {
      return true;
    }

    @Override
    public void onDrain(Runnable resume) {}

    @Override
    public void end(Buffer tail) {}

    @Override
    public void abort() {}
  }
}
