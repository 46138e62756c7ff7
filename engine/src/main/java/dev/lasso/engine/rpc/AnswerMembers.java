package dev.lasso.engine.rpc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the members of a provider's message lie: those of a JSON-RPC answer, of a notification, and
 * of the bare <code>{"code":…,"message":…}</code> some gateways send instead. Fed by a {@link
 * JsonSyntax}; belongs to its thread.
 */
final class AnswerMembers implements JsonSyntax.Listener {
  /**
   * A value's place in the text.
   *
   * @param from position of its first byte
   * @param to position after its last
   * @param first its first byte
   */
  record Span(long from, long to, byte first) {
    boolean isNull() {
      return first == 'n';
    }
  }

  private enum Name {
    ID,
    RESULT,
    ERROR,
    METHOD,
    PARAMS,
    CODE,
    MESSAGE,
    DATA,
    SUBSCRIPTION,
    OTHER
  }

  private static final byte[][] KEYS = keys();

  private static byte[][] keys() {
    Name[] names = Name.values();
    byte[][] keys = new byte[names.length - 1][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = JsonText.ascii(names[i].name().toLowerCase(Locale.ROOT));
    }
    return keys;
  }

  private static final Name[] NAMES = Name.values();

  private static Name nameOf(byte[] source, int from, int to) {
    for (int i = 0; i < KEYS.length; i++) {
      if (JsonText.matches(source, from, to, KEYS[i])) {
        return NAMES[i];
      }
    }
    return Name.OTHER;
  }

  private byte[] window = new byte[0];
  private long base;

  private boolean object;
  private Name outer = Name.OTHER;
  private Name inner = Name.OTHER;
  private long outerFrom;
  private long innerFrom;
  private boolean inResult;
  private boolean repeated;
  private Runnable resultEnded = () -> {};

  private @Nullable Span id;
  private @Nullable Span result;
  private @Nullable Span error;
  private @Nullable Span method;
  private @Nullable Span subscription;
  private @Nullable Span event;
  private @Nullable Span code;
  private @Nullable Span message;
  private @Nullable Span data;
  private @Nullable Span errorCode;
  private @Nullable Span errorMessage;
  private @Nullable Span errorData;

  /** Says which bytes the next positions refer to: the window's first byte is at {@code base}. */
  void window(byte[] bytes, long base) {
    this.window = bytes;
    this.base = base;
  }

  /** Is run at the end of the {@code result} value, inside the running feed. */
  void onResultEnd(Runnable action) {
    resultEnded = action;
  }

  /** Whether the text is an object. */
  boolean object() {
    return object;
  }

  /** Whether the text so far ends inside the value of {@code result}. */
  boolean inResult() {
    return inResult;
  }

  /** Position of the first byte of the {@code result} that is being read. */
  long resultFrom() {
    return outerFrom;
  }

  /** Whether {@code id}, {@code result} or {@code error} came twice. */
  boolean repeated() {
    return repeated;
  }

  @Nullable Span id() {
    return id;
  }

  @Nullable Span result() {
    return result;
  }

  @Nullable Span error() {
    return error;
  }

  @Nullable Span method() {
    return method;
  }

  /** {@code params.subscription} of a notification. */
  @Nullable Span subscription() {
    return subscription;
  }

  /** {@code params.result} of a notification. */
  @Nullable Span event() {
    return event;
  }

  /** The code of the error object, or of a bare one. */
  @Nullable Span code() {
    return error == null ? code : errorCode;
  }

  /** The message of the error object, or of a bare one. */
  @Nullable Span message() {
    return error == null ? message : errorMessage;
  }

  /** The data of the error object, or of a bare one. */
  @Nullable Span data() {
    return error == null ? data : errorData;
  }

  @Override
  public void key(int depth, long from, long to, boolean escaped) {
    if (depth == 1) {
      outer = name(from, to, escaped);
    } else if (depth == 2 && (outer == Name.ERROR || outer == Name.PARAMS)) {
      inner = name(from, to, escaped);
    }
  }

  private Name name(long from, long to, boolean escaped) {
    int start = (int) (from - base);
    int end = (int) (to - base);
    if (escaped) {
      byte[] plain = JsonText.unescape(window, start, end);
      return nameOf(plain, 0, plain.length);
    }
    return nameOf(window, start, end);
  }

  @Override
  public void valueStarted(int depth, long at, byte first) {
    switch (depth) {
      case 0 -> object = first == '{';
      case 1 -> {
        outerFrom = at;
        inResult = outer == Name.RESULT;
      }
      default -> innerFrom = at;
    }
  }

  @Override
  public void valueEnded(int depth, long end, byte first) {
    if (depth == 1 && object) {
      Span span = new Span(outerFrom, end, first);
      switch (outer) {
        case ID -> {
          repeated |= id != null;
          id = span;
        }
        case RESULT -> {
          repeated |= result != null;
          result = span;
          inResult = false;
          resultEnded.run();
        }
        case ERROR -> {
          repeated |= error != null;
          error = span;
        }
        case METHOD -> method = span;
        case CODE -> code = span;
        case MESSAGE -> message = span;
        case DATA -> data = span;
        case PARAMS, SUBSCRIPTION, OTHER -> {}
      }
      outer = Name.OTHER;
    } else if (depth == 2 && outer == Name.ERROR) {
      Span span = new Span(innerFrom, end, first);
      switch (inner) {
        case CODE -> errorCode = span;
        case MESSAGE -> errorMessage = span;
        case DATA -> errorData = span;
        case ID, RESULT, ERROR, METHOD, PARAMS, SUBSCRIPTION, OTHER -> {}
      }
      inner = Name.OTHER;
    } else if (depth == 2 && outer == Name.PARAMS) {
      Span span = new Span(innerFrom, end, first);
      switch (inner) {
        case SUBSCRIPTION -> subscription = span;
        case RESULT -> event = span;
        case ID, ERROR, METHOD, PARAMS, CODE, MESSAGE, DATA, OTHER -> {}
      }
      inner = Name.OTHER;
    }
  }
}
