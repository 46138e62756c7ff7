package dev.lasso.engine.rpc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a client's body (JSON-RPC 2.0, sections 4 and 6): one pass over the bytes, no tree, no
 * recursion. The whole text is checked, so nothing that isn't JSON ever reaches a provider.
 *
 * <p>Strict where readers disagree: {@code jsonrpc} must be {@code "2.0"}; a member given twice
 * spoils its item; other members are ignored and not passed on. Lenient where nothing is lost: a
 * byte order mark, {@code params: null}, ids of any number form. A fault of the text refuses the
 * body; a fault of one item spoils only that item.
 *
 * <p>An instance reads one body on one thread.
 */
public final class RequestParser {
  private static final byte[] VERSION = JsonText.ascii("\"2.0\"");
  private static final byte[] JSONRPC = JsonText.ascii("jsonrpc");
  private static final byte[] METHOD = JsonText.ascii("method");
  private static final byte[] PARAMS = JsonText.ascii("params");
  private static final byte[] ID = JsonText.ascii("id");

  private final byte[] body;
  private final int offset;
  private final EnvelopeLimits limits;
  private final List<RequestBody.Item> items = new ArrayList<>(1);

  private boolean batch;
  private int itemCount;
  private Member member = Member.OTHER;
  private int valueFrom;
  private @Nullable String itemFault;
  private boolean versionSeen;
  private @Nullable JsonSlice id;
  private boolean idSeen;
  private @Nullable JsonSlice params;
  private boolean paramsSeen;
  private int methodFrom = -1;
  private int methodTo;

  private enum Member {
    JSONRPC,
    METHOD,
    PARAMS,
    ID,
    OTHER
  }

  private RequestParser(byte[] body, int offset, EnvelopeLimits limits) {
    this.body = body;
    this.offset = offset;
    this.limits = limits;
  }

  /** Reads a whole array; it must not be changed afterwards. */
  public static RequestBody parse(byte[] body, EnvelopeLimits limits) {
    return parse(body, 0, body.length, limits);
  }

  /**
   * Reads a body.
   *
   * @param body holds the body; slices of it live on in the result, so it must not be changed
   * @param from index of the first byte
   * @param to index after the last byte
   */
  public static RequestBody parse(byte[] body, int from, int to, EnvelopeLimits limits) {
    return new RequestParser(body, from, limits).read(to);
  }

  private RequestBody read(int to) {
    JsonSyntax syntax = new JsonSyntax(limits.maxDepth(), new Members());
    syntax.feed(body, offset, to);
    if (!syntax.end()) {
      String fault = syntax.fault();
      return new RequestBody.Refused(
          RpcFault.parseError(fault == null ? "incomplete" : fault, syntax.faultAt()));
    }
    if (!batch) {
      return new RequestBody.Single(items.getFirst());
    }
    if (itemCount == 0) {
      return new RequestBody.Refused(RpcFault.invalidRequest("the batch is empty"));
    }
    if (itemCount > limits.maxBatchItems()) {
      return new RequestBody.Refused(
          RpcFault.invalidRequest(
              "the batch has "
                  + itemCount
                  + " calls, at most "
                  + limits.maxBatchItems()
                  + " are allowed"));
    }
    return new RequestBody.Batch(items);
  }

  private void startItem() {
    itemCount++;
    member = Member.OTHER;
    itemFault = null;
    versionSeen = false;
    id = null;
    idSeen = false;
    params = null;
    paramsSeen = false;
    methodFrom = -1;
  }

  private void endItem(byte first) {
    if (itemCount > limits.maxBatchItems()) {
      return;
    }
    if (first != '{') {
      spoil("a request is a JSON object");
    } else {
      if (!versionSeen) {
        spoil("jsonrpc must be \"2.0\"");
      }
      if (methodFrom < 0) {
        spoil("method is missing");
      }
    }
    if (itemFault != null) {
      items.add(
          new RequestBody.Invalid(
              RpcFault.invalidRequest(itemFault), id == null ? JsonSlice.NULL : id));
      return;
    }
    JsonSlice given = params == null ? JsonSlice.EMPTY_ARRAY : params;
    RpcCall call = call(given);
    int methodBytes = call.methodTo() - call.methodFrom();
    if (methodBytes == 0 || methodBytes > limits.maxMethodBytes()) {
      items.add(
          new RequestBody.Invalid(
              RpcFault.invalidRequest(
                  "method must have 1 to " + limits.maxMethodBytes() + " bytes"),
              id == null ? JsonSlice.NULL : id));
      return;
    }
    items.add(new RequestBody.RequestEnvelope(call, id));
  }

  private RpcCall call(JsonSlice given) {
    for (int i = methodFrom; i < methodTo; i++) {
      if (body[i] == '\\') {
        byte[] plain = JsonText.unescape(body, methodFrom, methodTo);
        return new RpcCall(plain, 0, plain.length, given);
      }
    }
    return new RpcCall(body, methodFrom, methodTo, given);
  }

  private void spoil(String fault) {
    if (itemFault == null) {
      itemFault = fault;
    }
  }

  private void endMember(int from, int to, byte first) {
    switch (member) {
      case JSONRPC -> {
        if (versionSeen) {
          spoil("jsonrpc is given twice");
        }
        versionSeen = true;
        if (!JsonText.matches(body, from, to, VERSION)) {
          spoil("jsonrpc must be \"2.0\"");
        }
      }
      case METHOD -> {
        if (methodFrom >= 0) {
          spoil("method is given twice");
        }
        if (first == '"') {
          methodFrom = from + 1;
          methodTo = to - 1;
        } else {
          spoil("method must be a string");
        }
      }
      case PARAMS -> {
        if (paramsSeen) {
          spoil("params is given twice");
        }
        paramsSeen = true;
        switch (first) {
          case '[', '{' -> params = JsonSlice.of(body, from, to);
          case 'n' -> {}
          default -> spoil("params must be an array or an object");
        }
      }
      case ID -> endId(from, to, first);
      case OTHER -> {}
    }
  }

  private void endId(int from, int to, byte first) {
    if (idSeen) {
      spoil("id is given twice");
      id = null;
      return;
    }
    idSeen = true;
    switch (first) {
      case '{', '[', 't', 'f' -> spoil("id must be a string, a number or null");
      default -> {
        if (to - from > limits.maxIdBytes()) {
          spoil("id is longer than " + limits.maxIdBytes() + " bytes");
        } else {
          id = JsonSlice.of(body, from, to);
        }
      }
    }
  }

  private Member memberNamed(int from, int to, boolean escaped) {
    byte[] key = body;
    int keyFrom = from;
    int keyTo = to;
    if (escaped) {
      key = JsonText.unescape(body, from, to);
      keyFrom = 0;
      keyTo = key.length;
    }
    if (JsonText.matches(key, keyFrom, keyTo, JSONRPC)) {
      return Member.JSONRPC;
    }
    if (JsonText.matches(key, keyFrom, keyTo, METHOD)) {
      return Member.METHOD;
    }
    if (JsonText.matches(key, keyFrom, keyTo, PARAMS)) {
      return Member.PARAMS;
    }
    return JsonText.matches(key, keyFrom, keyTo, ID) ? Member.ID : Member.OTHER;
  }

  /** Positions from the syntax check are turned into indexes of the body here. */
  private final class Members implements JsonSyntax.Listener {
    @Override
    public void valueStarted(int depth, long at, byte first) {
      if (depth == 0 && first == '[') {
        batch = true;
        return;
      }
      if (depth == itemDepth()) {
        startItem();
      } else if (depth == itemDepth() + 1) {
        valueFrom = index(at);
      }
    }

    @Override
    public void key(int depth, long from, long to, boolean escaped) {
      if (depth == itemDepth() + 1) {
        member = memberNamed(index(from), index(to), escaped);
      }
    }

    @Override
    public void valueEnded(int depth, long end, byte first) {
      if (depth == itemDepth()) {
        endItem(first);
      } else if (depth == itemDepth() + 1) {
        endMember(valueFrom, index(end), first);
        member = Member.OTHER;
      }
    }

    private int itemDepth() {
      return batch ? 1 : 0;
    }

    private int index(long position) {
      return Math.toIntExact(position + offset);
    }
  }
}
