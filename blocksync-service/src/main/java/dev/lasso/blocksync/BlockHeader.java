package dev.lasso.blocksync;

import dev.lasso.engine.query.PushedHeader;
import dev.lasso.engine.query.Quantity;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.Bytes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
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
    return new BlockHeader(number, hash, parentHash, PushedHeader.of(object, json));
  }

  /** The number of a block, or null when the value is no block. */
  static @Nullable Long number(JsonSlice json) {
    BlockHeader header = read(json);
    return header == null ? null : (Long) header.number();
  }

  private static @Nullable String hash(JsonObject object, String field) {
    return PushedHeader.isHash(object.getValue(field)) ? object.getString(field) : null;
  }
}
