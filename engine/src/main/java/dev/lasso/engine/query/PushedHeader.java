package dev.lasso.engine.query;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.Bytes;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header of a block as {@code newHeads} pushes it. Stateless. */
public final class PushedHeader {
  /**
   * What a block has and a pushed header has not (go-ethereum's {@code RPCMarshalBlock} beside its
   * {@code Header}).
   */
  private static final List<String> BODY =
      List.of("transactions", "uncles", "withdrawals", "size", "totalDifficulty");

  private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]{64}");

  private PushedHeader() {}

  /**
   * A block or header without the block's body; the very bytes that came, where they have none.
   *
   * @param block the block, which loses its body
   * @param json its bytes
   */
  public static Bytes of(JsonObject block, JsonSlice json) {
    int members = block.size();
    BODY.forEach(block::remove);
    return Bytes.copyOf(block.size() == members ? json.toArray() : block.toBuffer().getBytes());
  }

  /** Whether a member of a block is a hash: {@code 0x} and 64 hex digits. */
  public static boolean isHash(@Nullable Object member) {
    return member instanceof String text && HASH.matcher(text).matches();
  }
}
