package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a client made ({@code eth_newFilter} and its kin) and how far the client has been
 * told. Topic {@code filters}: every poll that tells something is written before it is answered, so
 * the order of the records decides what each poll tells, whatever process serves it.
 *
 * @param id names the filter, unguessable
 * @param profile profile it was made in
 * @param chain chain it listens to
 * @param kind what it tells
 * @param criteria the filter object (JSON); empty but for logs
 * @param client stands for who made it, as limits know it; tells nothing else
 * @param since events of the chain's stream with a higher sequence number concern it
 * @param start the block after which it begins where the stream had not reached that block when
 *     this was written, or null
 * @param cursor sequence number of the last event told, or {@code since} before the first
 * @param createdAtMs when it was made
 * @param usedAtMs when it was last polled
 * @param process the process that wrote this
 * @param poll names the poll that this was written for; empty when it was not for one
 * @param takenBack whether the caller of that poll was not told after all: the next poll tells it
 */
public record ClientFilter(
    String id,
    ProfileSlug profile,
    ChainId chain,
    Kind kind,
    String criteria,
    String client,
    long since,
    @Nullable Start start,
    long cursor,
    long createdAtMs,
    long usedAtMs,
    String process,
    String poll,
    boolean takenBack) {
  public ClientFilter {
    if (id.isEmpty() || since < 0 || cursor < since) {
      throw new IllegalArgumentException(
          "filter needs an id and a cursor not before its beginning, was '"
              + id
              + "' "
              + since
              + " "
              + cursor);
    }
  }

  /** What a filter tells. */
  public enum Kind {
    /** Logs that match, and those that are taken back. */
    LOGS,
    /** Hashes of blocks. */
    BLOCKS,
    /** Hashes of transactions that wait to be mined. */
    PENDING_HASHES,
    /** Those transactions themselves. */
    PENDING_TRANSACTIONS;

    /** Whether it is told from the canonical chain. */
    public boolean followsChain() {
      return this == LOGS || this == BLOCKS;
    }
  }

  /**
   * A block that is the last one before a filter begins.
   *
   * @param number its height
   * @param hash its hash
   */
  public record Start(long number, String hash) {}

  /**
   * The same filter polled once more.
   *
   * @param newSince as {@link #since}
   * @param newStart as {@link #start}
   * @param upTo sequence number of the last event that the poll tells
   */
  public ClientFilter polled(
      long newSince,
      @Nullable Start newStart,
      long upTo,
      long atMs,
      String byProcess,
      String named) {
    return written(newSince, newStart, upTo, atMs, byProcess, named, false);
  }

  /**
   * Says that a poll was not told after all.
   *
   * @param from sequence number of the last event told before it
   * @param named the poll
   */
  public ClientFilter takingBack(long from, long atMs, String byProcess, String named) {
    return written(since, start, from, atMs, byProcess, named, true);
  }

  private ClientFilter written(
      long newSince,
      @Nullable Start newStart,
      long upTo,
      long atMs,
      String byProcess,
      String named,
      boolean back) {
    return new ClientFilter(
        id,
        profile,
        chain,
        kind,
        criteria,
        client,
        newSince,
        newStart,
        Math.max(upTo, newSince),
        createdAtMs,
        atMs,
        byProcess,
        named,
        back);
  }
}
