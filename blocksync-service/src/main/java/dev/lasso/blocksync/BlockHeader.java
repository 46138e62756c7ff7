package dev.lasso.blocksync;

import dev.lasso.engine.query.Quantity;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.Bytes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A block's header as a node gives it.
 *
 * @param number block number
 * @param hash block hash, {@code 0x} and 64 hex digits
 * @param parentHash hash of the parent
 * @param json what {@code newHeads} pushes: the header's fields without the block's body
 */
record BlockHeader(long number, String hash, String parentHash, Bytes json) {
  /**
   * What a block has and a pushed header has not (go-ethereum's {@code RPCMarshalBlock} beside its
   * {@code Header}).
   */
  private static final List<String> BODY =
      List.of("transactions", "uncles", "withdrawals", "size", "totalDifficulty");

  private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]{64}");

  /** Reads a block or header; null when it is none, or one that is not mined yet. */
  static @Nullable BlockHeader read(JsonSlice json) {
    JsonObject object;
    try {
      object = new JsonObject(Buffer.buffer(json.toArray()));
    } catch (DecodeException | ClassCastException | IllegalArgumentException _) {
      return null;
    }
    String hash = hash(object, "hash");
    String parentHash = hash(object, "parentHash");
    Long number = object.getValue("number") instanceof String text ? Quantity.parse(text) : null;
    if (hash == null || parentHash == null || number == null) {
      return null;
    }
    int fields = object.size();
    BODY.forEach(object::remove);
    byte[] header = object.size() == fields ? json.toArray() : object.toBuffer().getBytes();
    return new BlockHeader(number, hash, parentHash, Bytes.copyOf(header));
  }

  /** The number of a block, or null when the value is no block. */
  static @Nullable Long number(JsonSlice json) {
    BlockHeader header = read(json);
    return header == null ? null : (Long) header.number();
  }

  private static @Nullable String hash(JsonObject object, String field) {
    return object.getValue(field) instanceof String text && HASH.matcher(text).matches()
        ? text
        : null;
  }
}
