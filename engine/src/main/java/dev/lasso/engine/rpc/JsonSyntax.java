package dev.lasso.engine.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Checks the syntax of one JSON text (RFC 8259) fed in pieces of any size, and reports keys and
 * values near the top to its listener. Each byte is looked at once, nesting costs one bit a level,
 * and nothing is built. UTF-8 inside strings is checked too; a leading byte order mark is skipped.
 *
 * <p>One instance reads one text and belongs to one thread. Positions are counted in bytes from the
 * first byte fed.
 */
final class JsonSyntax {
  /** Keys and values that start at most this many containers deep are reported. */
  static final int WATCHED_DEPTH = 2;

  /** Hears of keys and values in the order of the text. */
  interface Listener {
    /**
     * A key ended.
     *
     * @param depth open containers around it, at least 1
     * @param from first byte after the opening quote
     * @param to the closing quote
     * @param escaped whether it contains a backslash
     */
    void key(int depth, long from, long to, boolean escaped);

    /**
     * A value begins.
     *
     * @param depth open containers around it
     * @param at its first byte
     * @param first that byte: tells the type
     */
    void valueStarted(int depth, long at, byte first);

    /**
     * A value ended.
     *
     * @param depth open containers around it
     * @param end the byte after its last
     * @param first its first byte; {@code [} and <code>{</code> for containers
     */
    void valueEnded(int depth, long end, byte first);
  }

  private static final int START = 0;
  private static final int VALUE = 1;
  private static final int VALUE_OR_CLOSE = 2;
  private static final int KEY_OR_CLOSE = 3;
  private static final int KEY = 4;
  private static final int COLON = 5;
  private static final int AFTER_VALUE = 6;
  private static final int STRING = 7;
  private static final int ESCAPE = 8;
  private static final int HEX = 9;
  private static final int CONTINUATION = 10;
  private static final int MINUS = 11;
  private static final int ZERO = 12;
  private static final int INTEGER = 13;
  private static final int POINT = 14;
  private static final int FRACTION = 15;
  private static final int EXPONENT = 16;
  private static final int EXPONENT_SIGN = 17;
  private static final int EXPONENT_DIGITS = 18;
  private static final int LITERAL = 19;
  private static final int MARK = 20;
  private static final int DONE = 21;
  private static final int FAILED = 22;

  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /** Bytes that a string simply contains: ASCII without controls, quote and backslash. */
  private static final boolean[] PLAIN = new boolean[256];

  static {
    for (int b = 0x20; b < 0x80; b++) {
      PLAIN[b] = b != '"' && b != '\\';
    }
  }

  private final int maxDepth;
  private final Listener listener;

  private int state = START;
  private int depth;
  private long[] objects = new long[2];
  private long consumed;
  private boolean pause;

  private boolean inKey;
  private boolean escaped;
  private long stringFrom;
  private int remaining;
  private int lowest;
  private int highest;
  private byte[] word = NULL;
  private byte first;

  private @Nullable String fault;
  private long faultAt;

  /**
   * @param maxDepth the deepest nesting accepted
   * @param listener hears of keys and values down to {@link #WATCHED_DEPTH}
   */
  JsonSyntax(int maxDepth, Listener listener) {
    this.maxDepth = maxDepth;
    this.listener = listener;
  }

  /** Bytes looked at so far. */
  long consumed() {
    return consumed;
  }

  /** Whether a whole value was read; only white space may follow. */
  boolean complete() {
    return state == DONE;
  }

  /** What is wrong with the text, or null while nothing is. */
  @Nullable String fault() {
    return fault;
  }

  /** Position of the fault. */
  long faultAt() {
    return faultAt;
  }

  /** Makes the running {@link #feed} return after the byte that the listener hears of. */
  void pause() {
    pause = true;
  }

  /**
   * Reads on.
   *
   * @return the index of the first byte not looked at: {@code to}, unless the text is faulty or the
   *     listener asked to pause
   */
  int feed(byte[] input, int from, int to) {
    pause = false;
    long shift = consumed - from;
    int i = from;
    while (i < to && state != FAILED && !pause) {
      i =
          switch (state) {
            case STRING -> string(input, i, to, shift);
            case ESCAPE -> escape(input[i], i, shift);
            case HEX -> hex(input[i], i, shift);
            case CONTINUATION -> continuation(input[i], i, shift);
            case MINUS, ZERO, INTEGER, POINT, FRACTION, EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS ->
                number(input[i], i, shift);
            case LITERAL -> literal(input[i], i, shift);
            case MARK -> mark(input[i], i, shift);
            default -> structure(input[i], i, shift);
          };
    }
    consumed = i + shift;
    return i;
  }

  /**
   * Says that no more bytes come.
   *
   * @return whether the text is one whole JSON value
   */
  boolean end() {
    switch (state) {
      case ZERO, INTEGER, FRACTION, EXPONENT_DIGITS -> valueEnded(consumed);
      default -> {}
    }
    if (state != DONE && state != FAILED) {
      fail(consumed == 0 || state == START ? "empty" : "ends too early", consumed);
    }
    return state == DONE;
  }

  private int structure(byte b, int i, long shift) {
    if (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
      return i + 1;
    }
    long at = i + shift;
    switch (state) {
      case START -> {
        if (b == BYTE_ORDER_MARK[0] && at == 0) {
          state = MARK;
          remaining = 1;
        } else {
          startValue(b, at);
        }
      }
      case VALUE -> startValue(b, at);
      case VALUE_OR_CLOSE -> {
        if (b == ']') {
          close(at);
        } else {
          startValue(b, at);
        }
      }
      case KEY_OR_CLOSE -> {
        if (b == '}') {
          close(at);
        } else {
          startKey(b, at);
        }
      }
      case KEY -> startKey(b, at);
      case COLON -> {
        if (b == ':') {
          state = VALUE;
        } else {
          fail("a colon expected", at);
        }
      }
      case AFTER_VALUE -> {
        boolean object = inObject();
        if (b == ',') {
          state = object ? KEY : VALUE;
        } else if (b == (object ? '}' : ']')) {
          close(at);
        } else {
          fail(object ? "',' or '}' expected" : "',' or ']' expected", at);
        }
      }
      default -> fail("more after the end", at);
    }
    return i + 1;
  }

  private void startKey(byte b, long at) {
    if (b != '"') {
      fail("a key in quotes expected", at);
      return;
    }
    inKey = true;
    escaped = false;
    stringFrom = at + 1;
    state = STRING;
  }

  private void startValue(byte b, long at) {
    switch (b) {
      case '"' -> {
        inKey = false;
        state = STRING;
      }
      case '{' -> {
        open(at, b, true);
        return;
      }
      case '[' -> {
        open(at, b, false);
        return;
      }
      case '-' -> state = MINUS;
      case '0' -> state = ZERO;
      case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> state = INTEGER;
      case 't' -> startLiteral(TRUE);
      case 'f' -> startLiteral(FALSE);
      case 'n' -> startLiteral(NULL);
      default -> {
        fail("a value expected", at);
        return;
      }
    }
    first = b;
    if (depth <= WATCHED_DEPTH) {
      listener.valueStarted(depth, at, b);
    }
  }

  private void startLiteral(byte[] expected) {
    word = expected;
    remaining = 1;
    state = LITERAL;
  }

  private void open(long at, byte b, boolean object) {
    if (depth <= WATCHED_DEPTH) {
      listener.valueStarted(depth, at, b);
    }
    if (depth == maxDepth) {
      fail("nested deeper than " + maxDepth, at);
      return;
    }
    int index = depth >> 6;
    if (index == objects.length) {
      objects = java.util.Arrays.copyOf(objects, index * 2);
    }
    long bit = 1L << depth;
    objects[index] = object ? objects[index] | bit : objects[index] & ~bit;
    depth++;
    state = object ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
  }

  private void close(long at) {
    first = (byte) (inObject() ? '{' : '[');
    depth--;
    valueEnded(at + 1);
  }

  private boolean inObject() {
    int level = depth - 1;
    return (objects[level >> 6] & (1L << level)) != 0;
  }

  private void valueEnded(long end) {
    state = depth == 0 ? DONE : AFTER_VALUE;
    if (depth <= WATCHED_DEPTH) {
      listener.valueEnded(depth, end, first);
    }
  }

  private int string(byte[] input, int from, int to, long shift) {
    int i = from;
    while (i < to && PLAIN[input[i] & 0xFF]) {
      i++;
    }
    if (i == to) {
      return i;
    }
    byte b = input[i];
    long at = i + shift;
    if (b == '"') {
      if (inKey) {
        state = COLON;
        if (depth <= WATCHED_DEPTH) {
          listener.key(depth, stringFrom, at, escaped);
        }
      } else {
        first = '"';
        valueEnded(at + 1);
      }
    } else if (b == '\\') {
      escaped = true;
      state = ESCAPE;
    } else if (b >= 0) {
      fail("a control character in a string", at);
    } else {
      startSequence(b & 0xFF, at);
    }
    return i + 1;
  }

  /** The byte ranges of well-formed UTF-8 (Unicode standard, table 3-7). */
  private void startSequence(int lead, long at) {
    lowest = 0x80;
    highest = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
      remaining = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      remaining = 2;
      if (lead == 0xE0) {
        lowest = 0xA0;
      } else if (lead == 0xED) {
        highest = 0x9F;
      }
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      remaining = 3;
      if (lead == 0xF0) {
        lowest = 0x90;
      } else if (lead == 0xF4) {
        highest = 0x8F;
      }
    } else {
      fail("invalid UTF-8", at);
      return;
    }
    state = CONTINUATION;
  }

  private int continuation(byte b, int i, long shift) {
    int value = b & 0xFF;
    if (value < lowest || value > highest) {
      fail("invalid UTF-8", i + shift);
      return i;
    }
    lowest = 0x80;
    highest = 0xBF;
    remaining--;
    if (remaining == 0) {
      state = STRING;
    }
    return i + 1;
  }

  private int escape(byte b, int i, long shift) {
    switch (b) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> state = STRING;
      case 'u' -> {
        remaining = 4;
        state = HEX;
      }
      default -> fail("an unknown escape in a string", i + shift);
    }
    return i + 1;
  }

  private int hex(byte b, int i, long shift) {
    if (Character.digit(b, 16) < 0) {
      fail("four hexadecimal digits expected", i + shift);
      return i;
    }
    remaining--;
    if (remaining == 0) {
      state = STRING;
    }
    return i + 1;
  }

  private int number(byte b, int i, long shift) {
    boolean digit = b >= '0' && b <= '9';
    boolean exponent = b == 'e' || b == 'E';
    int next =
        switch (state) {
          case MINUS -> b == '0' ? ZERO : digit ? INTEGER : FAILED;
          case ZERO -> b == '.' ? POINT : exponent ? EXPONENT : digit ? FAILED : DONE;
          case INTEGER -> digit ? INTEGER : b == '.' ? POINT : exponent ? EXPONENT : DONE;
          case POINT -> digit ? FRACTION : FAILED;
          case FRACTION -> digit ? FRACTION : exponent ? EXPONENT : DONE;
          case EXPONENT -> digit ? EXPONENT_DIGITS : b == '+' || b == '-' ? EXPONENT_SIGN : FAILED;
          case EXPONENT_SIGN -> digit ? EXPONENT_DIGITS : FAILED;
          default -> digit ? EXPONENT_DIGITS : DONE;
        };
    if (next == FAILED) {
      fail("not a number", i + shift);
      return i;
    }
    if (next == DONE) {
      // the byte after a number belongs to what follows
      valueEnded(i + shift);
      return i;
    }
    state = next;
    return i + 1;
  }

  private int literal(byte b, int i, long shift) {
    if (b != word[remaining]) {
      fail("a value expected", i + shift);
      return i;
    }
    remaining++;
    if (remaining == word.length) {
      first = word[0];
      valueEnded(i + shift + 1);
    }
    return i + 1;
  }

  private int mark(byte b, int i, long shift) {
    if (b != BYTE_ORDER_MARK[remaining]) {
      fail("a value expected", i + shift);
      return i;
    }
    remaining++;
    if (remaining == BYTE_ORDER_MARK.length) {
      state = START;
    }
    return i + 1;
  }

  private void fail(String what, long at) {
    state = FAILED;
    fault = what;
    faultAt = at;
  }
}
