package dev.lasso.routing.facts;

import dev.lasso.routing.facts.BlockParameter.Block;
import dev.lasso.routing.facts.BlockParameter.Filter;
import dev.lasso.routing.facts.BlockParameter.Hash;
import dev.lasso.routing.facts.BlockParameter.None;
import dev.lasso.routing.facts.BlockReference.Point;
import dev.lasso.routing.facts.BlockReference.Tag;
import dev.lasso.routing.facts.BlockReference.Unbound;
import org.jspecify.annotations.Nullable;

/**
 * Finds the block that a request's parameters name, in the raw JSON text and without building a
 * tree. Looks only at the parameter it was asked for; what lies before is skipped, what lies after
 * is not read. Takes any bytes at all: what isn't the expected JSON is {@link Unbound#UNPARSEABLE},
 * and nothing is ever thrown. Time and memory are linear in the bytes read; nesting costs neither.
 *
 * <p>More forgiving than nodes are (any case of a tag, decimal numbers, leading zeros), because
 * reading a request too strictly would only hide where it needs to go; the provider judges it.
 */
final class ParamsReader {
  private static final byte[] BLOCK_HASH = Ascii.bytes("blockHash");
  private static final byte[] BLOCK_NUMBER = Ascii.bytes("blockNumber");
  private static final byte[] BLOCK = Ascii.bytes("block");
  private static final byte[] FROM_BLOCK = Ascii.bytes("fromBlock");
  private static final byte[] TO_BLOCK = Ascii.bytes("toBlock");

  private final JsonCursor json;

  private ParamsReader(JsonCursor json) {
    this.json = json;
  }

  /**
   * Reads the block reference of a request.
   *
   * @param parameter where the method's row says the block stands
   * @param params holds the JSON text of {@code params}
   * @param offset where it begins
   * @param length its length; 0 for a request without params
   */
  static BlockReference read(BlockParameter parameter, byte[] params, int offset, int length) {
    if (parameter instanceof None) {
      return Unbound.NONE;
    }
    return new ParamsReader(new JsonCursor(params, offset, length)).read(parameter);
  }

  private BlockReference read(BlockParameter parameter) {
    return switch (parameter) {
      case None _ -> Unbound.NONE;
      case Block block -> seek(block.index()) ? block() : omitted(Tag.LATEST);
      case Hash hash -> seek(hash.index()) ? hash() : Unbound.UNPARSEABLE;
      case Filter filter -> seek(filter.index()) ? filter(filter) : Unbound.UNPARSEABLE;
      case BlockParameter.Range range -> range(range);
    };
  }

  /** An absent parameter has its default; a broken list has no parameters to speak of. */
  private BlockReference omitted(BlockReference otherwise) {
    return json.broken() ? Unbound.UNPARSEABLE : otherwise;
  }

  /** Moves to a parameter; false when the list ends before it or is none. */
  private boolean seek(int index) {
    json.rewind();
    if (json.atEnd() || json.skipNull()) {
      return false;
    }
    if (!json.enterArray()) {
      return false;
    }
    for (int skipped = 0; skipped < index; skipped++) {
      if (!json.skipValue() || !json.nextElement()) {
        return false;
      }
    }
    return !json.broken();
  }

  private BlockReference block() {
    return json.enterObject() ? blockObject() : pointOrHash(Tag.LATEST);
  }

  /** {@code {"blockHash": ...}} or {@code {"blockNumber": ...}} (EIP-1898). */
  private BlockReference blockObject() {
    BlockReference hash = null;
    BlockReference number = null;
    while (json.nextMember()) {
      if (json.isName(BLOCK_HASH)) {
        hash = json.skipNull() ? null : hash();
      } else if (json.isName(BLOCK_NUMBER) || json.isName(BLOCK)) {
        number = json.skipNull() ? null : pointOrHash(Tag.LATEST);
      } else {
        json.skipValue();
      }
    }
    BlockReference named = hash != null ? hash : number;
    return json.broken() || named == null ? Unbound.UNPARSEABLE : named;
  }

  private BlockReference filter(Filter filter) {
    if (!json.enterObject()) {
      return Unbound.UNPARSEABLE;
    }
    BlockReference hash = null;
    BlockReference from = filter.omittedFrom();
    BlockReference to = Tag.LATEST;
    while (json.nextMember()) {
      if (json.isName(BLOCK_HASH)) {
        hash = json.skipNull() ? null : hash();
      } else if (json.isName(FROM_BLOCK)) {
        from = pointOrHash(filter.omittedFrom());
      } else if (json.isName(TO_BLOCK)) {
        to = pointOrHash(Tag.LATEST);
      } else {
        json.skipValue();
      }
    }
    if (json.broken()) {
      return Unbound.UNPARSEABLE;
    }
    return hash != null ? hash : between(from, to);
  }

  private BlockReference range(BlockParameter.Range range) {
    if (!seek(range.fromIndex())) {
      return Unbound.UNPARSEABLE;
    }
    BlockReference from = pointOrHash(Tag.LATEST);
    BlockReference to = from;
    if (seek(range.toIndex())) {
      to = json.skipNull() ? from : pointOrHash(Tag.LATEST);
    }
    return json.broken() ? Unbound.UNPARSEABLE : between(from, to);
  }

  private static BlockReference between(BlockReference from, BlockReference to) {
    if (from instanceof Point first && to instanceof Point last) {
      return new BlockReference.Range(first, last);
    }
    return from == Unbound.BY_HASH && to == Unbound.BY_HASH ? Unbound.BY_HASH : Unbound.UNPARSEABLE;
  }

  private BlockReference hash() {
    return json.readString() && BlockText.isHash(json) ? Unbound.BY_HASH : unreadable();
  }

  private BlockReference pointOrHash(Point whenNull) {
    if (json.skipNull()) {
      return whenNull;
    }
    if (json.readString()) {
      return orUnparseable(BlockText.parse(json));
    }
    if (json.readNumber()) {
      return orUnparseable(BlockText.decimal(json));
    }
    return unreadable();
  }

  private static BlockReference orUnparseable(@Nullable BlockReference reference) {
    return reference == null ? Unbound.UNPARSEABLE : reference;
  }

  /** Steps over a value of the wrong type, so that the members after it are still found. */
  private BlockReference unreadable() {
    json.skipValue();
    return Unbound.UNPARSEABLE;
  }
}
