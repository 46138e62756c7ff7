package dev.lasso.routing.canonical;

/**
 * A block that must be known before a longer branch can be followed.
 *
 * @param number its height
 * @param hash its hash
 * @param tip the highest block that needs it
 * @param distance blocks that are missing at the least: from above the canonical head up to it; 1
 *     when it is not above the head
 */
public record MissingParent(long number, String hash, HeadBlock tip, long distance) {}
