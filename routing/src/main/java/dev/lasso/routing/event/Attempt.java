package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;

/**
 * One request sent to one channel, as the sending process saw it end. Topic {@code attempts}: every
 * failure, every slow one, successes up to a budget.
 *
 * @param region where it was sent from
 * @param process the sending process
 * @param profile whose request it was
 * @param chain the chain asked
 * @param channel where it went
 * @param method the JSON-RPC method
 * @param requestId the client request it belongs to
 * @param endedAtMs when it ended
 * @param latencyMs from sending to the end of the answer, fractions of a millisecond kept
 * @param outcome how it ended
 * @param blockRange blocks that the request spanned; 0 when it was not a range
 * @param successesBefore successes of this process at this endpoint since its previous record about
 *     it that have no record of their own; so a budget on recorded successes never makes scattered
 *     failures look consecutive
 */
public record Attempt(
    Region region,
    String process,
    ProfileSlug profile,
    ChainId chain,
    Channel channel,
    String method,
    RequestId requestId,
    long endedAtMs,
    double latencyMs,
    AttemptOutcome outcome,
    long blockRange,
    long successesBefore) {}
