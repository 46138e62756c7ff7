package dev.lasso.engine.rpc;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON-RPC answers. The caller's id is written back as the text it came as; results and
 * error data are the provider's bytes. Stateless; buffers returned belong to the caller.
 */
public final class Answers {
  private static final byte[] HEAD = JsonText.ascii("{\"jsonrpc\":\"2.0\",\"id\":");
  private static final byte[] RESULT = JsonText.ascii(",\"result\":");
  private static final byte[] ERROR = JsonText.ascii(",\"error\":");
  private static final byte[] CODE = JsonText.ascii("{\"code\":");
  private static final byte[] MESSAGE = JsonText.ascii(",\"message\":\"");
  private static final byte[] DATA = JsonText.ascii(",\"data\":");
  private static final byte QUOTE = '"';
  private static final byte CLOSE = '}';

  private Answers() {}

  /** The whole answer that carries a result. */
  public static Buffer result(JsonSlice id, JsonSlice result) {
    Buffer buffer = Buffer.buffer(HEAD.length + id.size() + RESULT.length + result.size() + 1);
    return appendResult(buffer, id, result);
  }

  /** Appends the whole answer that carries a result. */
  public static Buffer appendResult(Buffer buffer, JsonSlice id, JsonSlice result) {
    id.appendTo(buffer.appendBytes(HEAD)).appendBytes(RESULT);
    return result.appendTo(buffer).appendByte(CLOSE);
  }

  /** What comes before the bytes of a result that is streamed. */
  public static Buffer resultHead(JsonSlice id) {
    return id.appendTo(Buffer.buffer(HEAD.length + id.size() + RESULT.length).appendBytes(HEAD))
        .appendBytes(RESULT);
  }

  /** What comes after the bytes of a result that is streamed. */
  public static Buffer resultTail() {
    return Buffer.buffer(1).appendByte(CLOSE);
  }

  /** The answer to something that is refused. */
  public static Buffer error(JsonSlice id, RpcFault fault) {
    return error(id, fault.code(), fault.message(), null);
  }

  /**
   * An error of our own.
   *
   * @param data the error's data, or null for none
   */
  public static Buffer error(JsonSlice id, int code, String message, @Nullable JsonSlice data) {
    return appendError(Buffer.buffer(128 + message.length()), id, code, message, data);
  }

  /** Appends an error of our own. */
  public static Buffer appendError(
      Buffer buffer, JsonSlice id, int code, String message, @Nullable JsonSlice data) {
    id.appendTo(buffer.appendBytes(HEAD)).appendBytes(ERROR).appendBytes(CODE);
    buffer.appendBytes(JsonText.ascii(Integer.toString(code))).appendBytes(MESSAGE);
    buffer.appendBytes(JsonText.escape(message)).appendByte(QUOTE);
    if (data != null) {
      data.appendTo(buffer.appendBytes(DATA));
    }
    return buffer.appendByte(CLOSE).appendByte(CLOSE);
  }

  /**
   * Appends a provider's error: its own bytes when they are a proper JSON-RPC error, else code
   * (-32000 when it gave none), message and data put into one.
   */
  public static Buffer appendError(Buffer buffer, JsonSlice id, ScannedAnswer.RpcError error) {
    if (error.wellFormed()) {
      id.appendTo(buffer.appendBytes(HEAD)).appendBytes(ERROR);
      return error.error().appendTo(buffer).appendByte(CLOSE);
    }
    Integer code = error.code();
    return appendError(
        buffer,
        id,
        code == null ? RpcFault.SERVER_ERROR : code,
        error.message().isEmpty() ? "Provider error" : error.message(),
        error.data());
  }

  /**
   * One array of the given answers in order.
   *
   * @param answers each a whole JSON-RPC answer
   */
  public static Buffer batch(List<Buffer> answers) {
    int size = 2 + answers.size();
    for (Buffer answer : answers) {
      size += answer.length();
    }
    Buffer buffer = Buffer.buffer(size).appendByte((byte) '[');
    boolean comma = false;
    for (Buffer answer : answers) {
      if (comma) {
        buffer.appendByte((byte) ',');
      }
      comma = true;
      buffer.appendBuffer(answer);
    }
    return buffer.appendByte((byte) ']');
  }
}
