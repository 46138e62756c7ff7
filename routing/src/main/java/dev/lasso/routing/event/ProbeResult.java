package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.Region;
import org.jspecify.annotations.Nullable;

/**
 * One health probe of one endpoint. Topic {@code probes}.
 *
 * @param region where it was sent from
 * @param process the probing process
 * @param chain the chain that the profiles say the instance serves
 * @param endpoint what was probed
 * @param endedAtMs when it ended
 * @param latencyMs how long it took
 * @param outcome how it ended; a wrong chain id is a failure of class {@code chain_mismatch}
 * @param chainIdSeen what {@code eth_chainId} answered, or null when it gave no number
 * @param heightSeen what {@code eth_blockNumber} answered, or null when not reached
 * @param syncing whether the node said it is syncing
 */
public record ProbeResult(
    Region region,
    String process,
    ChainId chain,
    Endpoint endpoint,
    long endedAtMs,
    double latencyMs,
    AttemptOutcome outcome,
    @Nullable Long chainIdSeen,
    @Nullable Long heightSeen,
    boolean syncing) {}
