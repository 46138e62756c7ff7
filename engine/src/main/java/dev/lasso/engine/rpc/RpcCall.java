package dev.lasso.engine.rpc;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A method with its params, ready to be sent to any provider. The name is kept as UTF-8 bytes with
 * escapes resolved, so that rules are looked up without building a string. Immutable apart from the
 * cached name; belongs to one thread at a time.
 */
public final class RpcCall {
  private static final byte[] HEAD = JsonText.ascii("{\"jsonrpc\":\"2.0\",\"id\":");
  private static final byte[] METHOD = JsonText.ascii(",\"method\":\"");
  private static final byte[] PARAMS = JsonText.ascii("\",\"params\":");
  private static final byte[] END = {'}'};

  private final byte[] methodSource;
  private final int methodFrom;
  private final int methodTo;
  private final JsonSlice params;
  private @Nullable String method;

  RpcCall(byte[] methodSource, int methodFrom, int methodTo, JsonSlice params) {
    this.methodSource = methodSource;
    this.methodFrom = methodFrom;
    this.methodTo = methodTo;
    this.params = params;
  }

  /**
   * A call of our own.
   *
   * @param method a method name of letters, digits and {@code _}
   * @param paramsJson params as JSON text, which the caller vouches for
   */
  public static RpcCall of(String method, String paramsJson) {
    return of(method, JsonSlice.of(paramsJson));
  }

  /** A call of our own with params at hand. */
  public static RpcCall of(String method, JsonSlice params) {
    byte[] name = JsonText.ascii(method);
    return new RpcCall(name, 0, name.length, params);
  }

  /** The array that holds the name; not to be changed. */
  public byte[] methodSource() {
    return methodSource;
  }

  /** Index of the name's first byte. */
  public int methodFrom() {
    return methodFrom;
  }

  /** Index after the name's last byte. */
  public int methodTo() {
    return methodTo;
  }

  /** The method's name as the caller wrote it. */
  public String method() {
    String name = method;
    if (name == null) {
      name = new String(methodSource, methodFrom, methodTo - methodFrom, StandardCharsets.UTF_8);
      method = name;
    }
    return name;
  }

  /** The params: an array or object; an empty array when the caller gave none. */
  public JsonSlice params() {
    return params;
  }

  /** The request as one JSON-RPC text with the given id. */
  public Buffer encode(long id) {
    byte[] idText = JsonText.ascii(Long.toString(id));
    int methodBytes = methodTo - methodFrom;
    int size =
        HEAD.length
            + idText.length
            + METHOD.length
            + methodBytes
            + PARAMS.length
            + params.size()
            + END.length;
    Buffer buffer = Buffer.buffer(size).appendBytes(HEAD).appendBytes(idText).appendBytes(METHOD);
    if (needsEscape()) {
      buffer.appendBytes(JsonText.escape(method()));
    } else {
      buffer.appendBytes(methodSource, methodFrom, methodBytes);
    }
    params.appendTo(buffer.appendBytes(PARAMS));
    return buffer.appendBytes(END);
  }

  private boolean needsEscape() {
    for (int i = methodFrom; i < methodTo; i++) {
      byte b = methodSource[i];
      if (b == '"' || b == '\\' || (b >= 0 && b < 0x20)) {
        return true;
      }
    }
    return false;
  }
}
