package dev.lasso.routing.facts;

import java.util.Arrays;

/**
 * A position in JSON text. Each method looks at what stands at the position and moves past it if it
 * is what was asked for; otherwise the position stays. Text that ends too early or breaks the
 * grammar where it matters marks the cursor {@linkplain #broken() broken}, and from then on nothing
 * more is found. Bytes outside the window given are never touched.
 *
 * <p>Belongs to the one call that made it. Copies nothing except strings with escapes.
 */
final class JsonCursor {
  private final byte[] json;
  private final int start;
  private final int end;
  private int at;
  private boolean broken;
  private boolean firstMember;

  /** The text of the string, number or member name read last. */
  private byte[] text;

  private int textStart;
  private int textLength;

  JsonCursor(byte[] json, int offset, int length) {
    this.json = json;
    this.start = Math.clamp(offset, 0, json.length);
    this.end = this.start + Math.clamp(length, 0, json.length - this.start);
    this.at = this.start;
    this.text = json;
  }

  /** Starts again at the beginning. */
  void rewind() {
    at = start;
    broken = false;
  }

  boolean broken() {
    return broken;
  }

  /** Whether nothing but white space is left. */
  boolean atEnd() {
    skipSpace();
    return at >= end;
  }

  /** Moves past a {@code null}. */
  boolean skipNull() {
    if (peek() == 'n'
        && end - at >= 4
        && json[at + 1] == 'u'
        && json[at + 2] == 'l'
        && json[at + 3] == 'l') {
      at += 4;
      return true;
    }
    return false;
  }

  /** Moves to the first element of an array; false for anything else, an empty array included. */
  boolean enterArray() {
    if (peek() != '[') {
      broken = true;
      return false;
    }
    at++;
    return peek() != ']' && !broken;
  }

  /** Moves from the end of an element to the next one. */
  boolean nextElement() {
    byte next = peek();
    if (next == ',') {
      at++;
      peek();
      return !broken;
    }
    broken |= next != ']';
    return false;
  }

  /** Moves into an object, before its first member. */
  boolean enterObject() {
    if (peek() != '{') {
      return false;
    }
    at++;
    firstMember = true;
    return true;
  }

  /** Moves to the value of the next member, whose name is then the text; false at the end. */
  boolean nextMember() {
    byte next = peek();
    if (broken) {
      return false;
    }
    if (next == '}') {
      at++;
      return false;
    }
    if (!firstMember) {
      if (next != ',') {
        broken = true;
        return false;
      }
      at++;
    }
    firstMember = false;
    if (!readString() || peek() != ':') {
      broken = true;
      return false;
    }
    at++;
    peek();
    return !broken;
  }

  /** Whether the name of the current member is this one. Must be asked before its value is read. */
  boolean isName(byte[] name) {
    return Arrays.equals(text, textStart, textStart + textLength, name, 0, name.length);
  }

  /** Moves past a string, whose content is then the text. */
  boolean readString() {
    if (peek() != '"') {
      return false;
    }
    int from = at + 1;
    boolean escaped = false;
    for (int i = from; i < end; i++) {
      byte b = json[i];
      if (b == '"') {
        at = i + 1;
        setText(from, i, escaped);
        return true;
      }
      if (b == '\\') {
        escaped = true;
        i++;
      }
    }
    broken = true;
    return false;
  }

  /** Moves past a number, whose digits are then the text. */
  boolean readNumber() {
    byte first = peek();
    if (first != '-' && !Ascii.isDigit(first)) {
      return false;
    }
    int from = at;
    at = scalarEnd();
    setText(from, at, false);
    return true;
  }

  /** Moves past any value; false when the text ends inside it. */
  boolean skipValue() {
    int depth = 0;
    do {
      byte next = peek();
      if (broken) {
        return false;
      }
      switch (next) {
        case '[', '{' -> {
          depth++;
          at++;
        }
        case ']', '}' -> {
          if (depth == 0) {
            broken = true;
            return false;
          }
          depth--;
          at++;
        }
        case ',', ':' -> {
          if (depth == 0) {
            broken = true;
            return false;
          }
          at++;
        }
        case '"' -> readString();
        default -> at = scalarEnd();
      }
    } while (depth > 0 && !broken);
    return !broken;
  }

  int textLength() {
    return textLength;
  }

  /** The byte of the text at a position from 0 to {@link #textLength} - 1. */
  byte textAt(int index) {
    return text[textStart + index];
  }

  /** The next byte that is no white space, or -1 and broken at the end of the text. */
  private byte peek() {
    skipSpace();
    if (at >= end) {
      broken = true;
      return -1;
    }
    return json[at];
  }

  private void skipSpace() {
    while (at < end && isSpace(json[at])) {
      at++;
    }
  }

  private int scalarEnd() {
    int i = at + 1;
    while (i < end && !isSpace(json[i]) && ",:]}[{\"".indexOf(json[i]) < 0) {
      i++;
    }
    return i;
  }

  private void setText(int from, int to, boolean escaped) {
    if (escaped) {
      text = Escapes.decode(json, from, to);
      textStart = 0;
      textLength = text.length;
    } else {
      text = json;
      textStart = from;
      textLength = to - from;
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
