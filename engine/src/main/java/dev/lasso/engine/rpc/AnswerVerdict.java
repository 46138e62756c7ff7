package dev.lasso.engine.rpc;

import dev.lasso.engine.rpc.AnswerMembers.Span;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decides what a syntactically whole message of a provider is. Stateless. */
final class AnswerVerdict {
  /** What the message's id says. */
  enum IdState {
    /** It is our request's. */
    OURS,
    /** Missing or {@code null}. */
    ABSENT,
    /** It is something else. */
    OTHER
  }

  private static final int PREVIEW_BYTES = 2048;

  private AnswerVerdict() {}

  /**
   * @param held the bytes still in memory, the first of them at position {@code base}
   * @param handedOut whether the result was streamed and is not in {@code held}
   */
  static ScannedAnswer of(
      AnswerMembers members, byte[] held, int heldBytes, long base, IdState id, boolean handedOut) {
    String fault = fault(members, id);
    if (fault != null) {
      return malformed(fault, held, heldBytes);
    }
    if (isError(members)) {
      return error(members, held, heldBytes, base);
    }
    Span result = members.result();
    if (handedOut || result == null) {
      return new ScannedAnswer.Streamed();
    }
    return new ScannedAnswer.Result(slice(result, held, base));
  }

  static ScannedAnswer malformed(String reason, byte[] held, int heldBytes) {
    int size = Math.min(heldBytes, PREVIEW_BYTES);
    return new ScannedAnswer.Malformed(reason, new String(held, 0, size, StandardCharsets.UTF_8));
  }

  private static @Nullable String fault(AnswerMembers members, IdState id) {
    if (!members.object()) {
      return "the body is no JSON object";
    }
    if (members.repeated()) {
      return "a member is given twice";
    }
    Span result = members.result();
    boolean error = isError(members);
    if (error && result != null && !result.isNull()) {
      return "both result and error";
    }
    if (!error && result == null) {
      return "neither result nor error";
    }
    if (id == IdState.OTHER || (id == IdState.ABSENT && !error)) {
      return "the id is not the request's";
    }
    return null;
  }

  private static boolean isError(AnswerMembers members) {
    Span error = members.error();
    return error == null ? members.result() == null && members.message() != null : !error.isNull();
  }

  private static ScannedAnswer error(AnswerMembers members, byte[] held, int heldBytes, long base) {
    Span error = members.error();
    Span code = members.code();
    Span message = members.message();
    Span data = members.data();
    JsonSlice whole = error == null ? JsonSlice.of(held, 0, heldBytes) : slice(error, held, base);
    Integer number = code == null ? null : number(code, held, base);
    boolean wellFormed =
        error != null
            && error.first() == '{'
            && number != null
            && code != null
            && code.first() != '"'
            && message != null
            && message.first() == '"';
    String text;
    if (error != null && error.first() != '{') {
      text = text(error, held, base);
    } else {
      text = message == null ? "" : text(message, held, base);
    }
    return new ScannedAnswer.RpcError(
        number,
        text,
        data == null || data.isNull() ? null : slice(data, held, base),
        whole,
        wellFormed);
  }

  private static @Nullable Integer number(Span span, byte[] held, long base) {
    String digits = text(span, held, base).trim();
    try {
      return Integer.valueOf(digits);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A string's content, or the JSON text of any other value. */
  static String text(Span span, byte[] held, long base) {
    int from = (int) (span.from() - base);
    int to = (int) (span.to() - base);
    if (span.first() == '"') {
      return new String(JsonText.unescape(held, from + 1, to - 1), StandardCharsets.UTF_8);
    }
    return new String(held, from, to - from, StandardCharsets.UTF_8);
  }

  static JsonSlice slice(Span span, byte[] held, long base) {
    return JsonSlice.of(held, (int) (span.from() - base), (int) (span.to() - base));
  }
}
