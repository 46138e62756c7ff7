package dev.lasso.routing.event;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import org.jspecify.annotations.Nullable;

/**
 * A head seen at an instance. Topic {@code upstream-heads}.
 *
 * @param region where it was seen from
 * @param process the process that saw it
 * @param chain the chain
 * @param instance who showed it
 * @param number block number
 * @param hash block hash, or null when only the number was asked for
 * @param parentHash hash of the parent, or null when only the number was asked for
 * @param header the header as the node sent it (JSON, no transactions), or null when only the
 *     number was asked for
 * @param source how it was seen
 * @param seenAtMs when it was seen
 * @param latencyMs how long the poll took; 0 for a pushed head
 * @param syncing whether the node said it is syncing
 * @param safe number of the safe block, or null when not asked for
 * @param finalized number of the finalized block, or null when not asked for
 */
public record HeadSighting(
    Region region,
    String process,
    ChainId chain,
    InstanceId instance,
    long number,
    @Nullable String hash,
    @Nullable String parentHash,
    @Nullable Bytes header,
    Source source,
    long seenAtMs,
    double latencyMs,
    boolean syncing,
    @Nullable Long safe,
    @Nullable Long finalized) {
  /** How a head came to be known. */
  public enum Source {
    HTTP_POLL,
    WS_NEW_HEADS
  }
}
