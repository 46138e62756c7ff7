package dev.lasso.routing.profile;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a provider is known to refuse.
 *
 * @param maxBlockRange widest block range of a logs request, in blocks; null for no known limit
 * @param maxBlockAge oldest block served, in blocks behind the consensus height; null for no known
 *     limit
 * @param blockAgeMethods methods that {@code maxBlockAge} holds for; empty for every method that
 *     reads state or logs of a block
 */
public record ProviderLimits(
    @Nullable Long maxBlockRange, @Nullable Long maxBlockAge, List<MethodPattern> blockAgeMethods) {
  public static final ProviderLimits NONE = new ProviderLimits(null, null, List.of());

  public ProviderLimits {
    blockAgeMethods = List.copyOf(blockAgeMethods);
    if (maxBlockRange != null) {
      Require.between("max_block_range", maxBlockRange, 1, Long.MAX_VALUE);
    }
    if (maxBlockAge != null) {
      Require.between("max_block_age", maxBlockAge, 0, Long.MAX_VALUE);
    }
  }
}
