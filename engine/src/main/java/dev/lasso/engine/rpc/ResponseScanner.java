package dev.lasso.engine.rpc;

import dev.lasso.engine.rpc.AnswerMembers.Span;
import dev.lasso.engine.rpc.AnswerVerdict.IdState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one provider's answer chunk by chunk. A small answer is held whole, so that a truncated or
 * malformed one can still be replaced by another provider's; a result that grows beyond {@link
 * ScanLimits#streamAboveBytes} is handed out while it comes, and memory stays flat.
 *
 * <p>Lenient towards members in any order, unknown members, {@code error: null} beside a result,
 * {@code result: null} beside an error, an id given back as a string, an error without an id or
 * with {@code null}, and an error that is a string or stands alone. Anything else that is no answer
 * to our request is malformed.
 *
 * <p>An instance reads one answer on one thread. Chunks fed belong to it from then on.
 */
public final class ResponseScanner {
  /** What the caller does next. */
  public enum Progress {
    /** Feed the next chunk. */
    MORE,
    /** Forward {@link ResponseScanner#streamed}, then feed the next chunk. */
    STREAMING,
    /** No need to read on: {@link ResponseScanner#end} says why. */
    REFUSED
  }

  private enum Phase {
    HOLDING,
    STREAMING,
    TAIL,
    BROKEN
  }

  private static final int PREVIEW_BYTES = 2048;
  private static final byte[] NOTHING = new byte[0];
  private static final JsonSlice EMPTY = JsonSlice.of(NOTHING, 0, 0);

  private final byte[] expectedId;
  private final ScanLimits limits;
  private final AnswerMembers members = new AnswerMembers();
  private final JsonSyntax syntax;

  private Phase phase = Phase.HOLDING;
  private byte[] held = NOTHING;
  private int heldBytes;
  private long base;
  private JsonSlice streamed = EMPTY;
  private boolean handedOut;
  private boolean idMatched;
  private @Nullable String broken;

  /**
   * @param expectedId the id our request had
   */
  public ResponseScanner(long expectedId, ScanLimits limits) {
    this.expectedId = JsonText.ascii(Long.toString(expectedId));
    this.limits = limits;
    this.syntax = new JsonSyntax(limits.maxDepth(), members);
  }

  /** Whether bytes of the result were handed out: the answer can't be replaced any more. */
  public boolean streaming() {
    return handedOut;
  }

  /** The part of the result that the last {@link #feed} found; may be empty. */
  public JsonSlice streamed() {
    return streamed;
  }

  /** Reads a whole array, which belongs to the scanner from then on. */
  public Progress feed(byte[] chunk) {
    return feed(chunk, 0, chunk.length);
  }

  /** Reads the next bytes; the array belongs to the scanner from then on. */
  public Progress feed(byte[] chunk, int from, int to) {
    streamed = EMPTY;
    return switch (phase) {
      case HOLDING -> hold(chunk, from, to);
      case STREAMING -> stream(chunk, from, to);
      case TAIL -> tail(chunk, from, to);
      case BROKEN -> preview(chunk, from, to);
    };
  }

  private Progress hold(byte[] chunk, int from, int to) {
    int before = heldBytes;
    append(chunk, from, to);
    members.window(held, 0);
    syntax.feed(held, before, heldBytes);
    if (syntax.fault() != null) {
      return breakOff(syntax.fault() + " at byte " + syntax.faultAt());
    }
    if (members.inResult() && heldBytes > limits.streamAboveBytes() && mayStream()) {
      streamed = JsonSlice.of(held, (int) members.resultFrom(), heldBytes);
      held = NOTHING;
      heldBytes = 0;
      phase = Phase.STREAMING;
      handedOut = true;
      members.onResultEnd(syntax::pause);
      return Progress.STREAMING;
    }
    if (heldBytes > limits.maxHeldBytes()) {
      return breakOff("more than " + limits.maxHeldBytes() + " bytes without a result");
    }
    return Progress.MORE;
  }

  private boolean mayStream() {
    Span id = members.id();
    Span error = members.error();
    idMatched = id != null && matchesId(id);
    return !members.repeated()
        && members.result() == null
        && (error == null || error.isNull())
        && (id == null || idMatched);
  }

  private Progress stream(byte[] chunk, int from, int to) {
    int end = syntax.feed(chunk, from, to);
    if (syntax.fault() != null) {
      return breakOff(syntax.fault() + " at byte " + syntax.faultAt());
    }
    streamed = JsonSlice.of(chunk, from, end);
    if (members.inResult()) {
      return Progress.STREAMING;
    }
    phase = Phase.TAIL;
    base = syntax.consumed();
    return end == to ? Progress.STREAMING : afterTail(tail(chunk, end, to));
  }

  private static Progress afterTail(Progress progress) {
    return progress == Progress.REFUSED ? Progress.REFUSED : Progress.STREAMING;
  }

  private Progress tail(byte[] chunk, int from, int to) {
    int before = heldBytes;
    append(Arrays.copyOfRange(chunk, from, to), 0, to - from);
    members.window(held, base);
    syntax.feed(held, before, heldBytes);
    if (syntax.fault() != null) {
      return breakOff(syntax.fault() + " at byte " + syntax.faultAt());
    }
    if (heldBytes > limits.maxHeldBytes()) {
      return breakOff("more than " + limits.maxHeldBytes() + " bytes after the result");
    }
    return Progress.MORE;
  }

  private Progress preview(byte[] chunk, int from, int to) {
    if (heldBytes >= PREVIEW_BYTES) {
      return Progress.REFUSED;
    }
    append(chunk, from, Math.min(to, from + PREVIEW_BYTES));
    return Progress.MORE;
  }

  private Progress breakOff(String reason) {
    broken = reason;
    phase = Phase.BROKEN;
    return handedOut || heldBytes >= PREVIEW_BYTES ? Progress.REFUSED : Progress.MORE;
  }

  private void append(byte[] chunk, int from, int to) {
    int more = to - from;
    if (heldBytes == 0 && from == 0) {
      held = chunk;
      heldBytes = to;
      return;
    }
    if (heldBytes + more > held.length) {
      held = Arrays.copyOf(held, Math.max(heldBytes + more, Math.min(held.length * 2, 1 << 22)));
    }
    System.arraycopy(chunk, from, held, heldBytes, more);
    heldBytes += more;
  }

  /** Says that the body is complete, and what it was. */
  public ScannedAnswer end() {
    if (broken == null && !syntax.end()) {
      broken = "the body is incomplete: " + syntax.fault();
    }
    if (broken != null) {
      return AnswerVerdict.malformed(broken, held, heldBytes);
    }
    return AnswerVerdict.of(members, held, heldBytes, base, idState(), handedOut);
  }

  private IdState idState() {
    Span id = members.id();
    if (idMatched) {
      return IdState.OURS;
    }
    if (id == null || id.isNull()) {
      return IdState.ABSENT;
    }
    return matchesId(id) ? IdState.OURS : IdState.OTHER;
  }

  private boolean matchesId(Span id) {
    int from = (int) (id.from() - base);
    int to = (int) (id.to() - base);
    return id.first() == '"'
        ? JsonText.matches(held, from + 1, to - 1, expectedId)
        : JsonText.matches(held, from, to, expectedId);
  }
}
