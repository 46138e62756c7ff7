package dev.lasso.routing.select;

/**
 * The last head seen at an instance.
 *
 * @param number block number
 * @param seenAtMs epoch milliseconds when it was seen
 * @param syncing whether the node said it is syncing: it then counts as lagging
 */
public record Height(long number, long seenAtMs, boolean syncing) {}
