package dev.lasso.subscription;

import dev.lasso.engine.query.PushedHeader;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.canonical.HeadBlock;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads blocks and quantities as nodes write them. Stateless. */
final class BlockJson {
  /** No header of a chain is larger, roughly: one of Ethereum has 2 KiB. */
  static final int MAX_HEADER_BYTES = 256 << 10;

  private static final Pattern QUANTITY = Pattern.compile("0x[0-9a-fA-F]{1,16}");
  private static final Pattern ZEROS = Pattern.compile("0x0*");

  private BlockJson() {}

  /**
   * A block or header, or null when it is none, one that is not mined yet, or one whose header is
   * larger than any.
   *
   * @param source the instance it came from
   */
  static @Nullable HeadBlock block(JsonSlice json, String source) {
    JsonObject object = object(json);
    return object == null ? null : block(object, json, source);
  }

  private static @Nullable HeadBlock block(JsonObject object, JsonSlice json, String source) {
    Long number = quantity(object.getValue("number"));
    if (number == null
        || !PushedHeader.isHash(object.getValue("hash"))
        || !PushedHeader.isHash(object.getValue("parentHash"))) {
      return null;
    }
    String hash = object.getString("hash");
    String parentHash = object.getString("parentHash");
    Bytes header = PushedHeader.of(object, json);
    return header.size() > MAX_HEADER_BYTES
        ? null
        : new HeadBlock(number, hash, parentHash, header, source);
  }

  /** Whether a header rules out that its block has logs. */
  static boolean surelyWithoutLogs(Bytes header) {
    JsonObject object = object(header);
    return object != null
        && isZero(object.getValue("logsBloom"))
        && isZero(object.getValue("gasUsed"));
  }

  /** Whether a header says that its block has logs (yellow paper, 4.3.1: the bloom of all logs). */
  static boolean expectsLogs(Bytes header) {
    JsonObject object = object(header);
    return object != null && object.getValue("logsBloom") instanceof String bloom && !isZero(bloom);
  }

  private static boolean isZero(@Nullable Object value) {
    return value instanceof String text && ZEROS.matcher(text).matches();
  }

  /** A quantity that fits a block number, or null. */
  static @Nullable Long quantity(@Nullable Object value) {
    if (!(value instanceof String text) || !QUANTITY.matcher(text).matches()) {
      return null;
    }
    long number = Long.parseUnsignedLong(text, 2, text.length(), 16);
    return number < 0 ? null : number;
  }

  private static @Nullable JsonObject object(JsonSlice json) {
    return object(json.toArray());
  }

  private static @Nullable JsonObject object(Bytes json) {
    return object(json.toArray());
  }

  private static @Nullable JsonObject object(byte[] json) {
    try {
      return new JsonObject(Buffer.buffer(json));
    } catch (DecodeException | ClassCastException _) {
      return null;
    }
  }
}
