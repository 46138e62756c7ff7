package dev.lasso.routing.facts;

import dev.lasso.routing.facts.BlockReference.Height;
import dev.lasso.routing.facts.BlockReference.Point;
import dev.lasso.routing.facts.BlockReference.Range;
import dev.lasso.routing.facts.BlockReference.Tag;
import dev.lasso.routing.facts.BlockReference.Unbound;
import org.jspecify.annotations.Nullable;

/**
 * What routing needs to know of one request: the method's row and the block its parameters name.
 * Parsed once from the request alone; heights are resolved by {@link #bounds} against the snapshot
 * that the request is routed with.
 *
 * @param method the method's row
 * @param block what the parameters say about the block
 */
public record RequestFacts(RpcMethod method, BlockReference block) {

  /**
   * Reads the facts of a request. Never fails: parameters that can't be read are {@link
   * Unbound#UNPARSEABLE}.
   *
   * @param method the method's row
   * @param params holds the JSON text of {@code params} in UTF-8
   * @param offset where it begins
   * @param length its length in bytes; 0 when the request has no params
   */
  public static RequestFacts of(RpcMethod method, byte[] params, int offset, int length) {
    return new RequestFacts(method, ParamsReader.read(method.block(), params, offset, length));
  }

  /** Whether the block is named by its hash. */
  public boolean byHash() {
    return block == Unbound.BY_HASH;
  }

  /**
   * The heights behind the reference.
   *
   * @param consensusHeight the chain's consensus height, or null when unknown
   * @param archivalThreshold how many blocks behind the head a node that prunes still has state for
   */
  public BlockBounds bounds(@Nullable Long consensusHeight, long archivalThreshold) {
    return switch (block) {
      case Unbound _ -> BlockBounds.UNBOUND;
      case Point point ->
          isHead(point)
              ? BlockBounds.UNBOUND
              : range(point, point, consensusHeight, archivalThreshold);
      case Range range ->
          isHead(range.from()) && isHead(range.to())
              ? BlockBounds.UNBOUND
              : range(range.from(), range.to(), consensusHeight, archivalThreshold);
    };
  }

  private BlockBounds range(
      Point first, Point second, @Nullable Long consensusHeight, long archivalThreshold) {
    boolean earliest = first == Tag.EARLIEST || second == Tag.EARLIEST;
    Long from = height(first, consensusHeight);
    Long to = height(second, consensusHeight);
    if (from == null || to == null) {
      // one end is the head, whose height nobody knows: it is the upper end
      return new BlockBounds(from == null ? to : from, null, earliest && needsState());
    }
    long low = Math.min(from, to);
    boolean old = consensusHeight != null && consensusHeight - low > archivalThreshold;
    return new BlockBounds(low, Math.max(from, to), (earliest || old) && needsState());
  }

  private boolean needsState() {
    return method.needs() == StateNeed.STATE;
  }

  private static boolean isHead(Point point) {
    return point instanceof Tag tag && tag != Tag.EARLIEST;
  }

  /** Safe and finalized count as the head: how far behind they are is each provider's to say. */
  private static @Nullable Long height(Point point, @Nullable Long consensusHeight) {
    return switch (point) {
      case Height height -> height.number();
      case Tag tag -> isHead(tag) ? consensusHeight : Long.valueOf(0);
    };
  }
}
