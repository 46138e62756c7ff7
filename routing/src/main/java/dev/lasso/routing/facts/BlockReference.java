package dev.lasso.routing.facts;

/**
 * Which block or blocks a request reads, as its parameters say it: nothing is looked up, and tags
 * stay tags. {@link RequestFacts#bounds} turns it into heights.
 */
public sealed interface BlockReference {

  /** One height, by number or by tag. */
  sealed interface Point extends BlockReference {}

  /** A block tag (execution-apis, {@code BlockTag}). */
  enum Tag implements Point {
    LATEST("latest"),
    SAFE("safe"),
    FINALIZED("finalized"),
    PENDING("pending"),
    EARLIEST("earliest");

    private final String word;

    Tag(String word) {
      this.word = word;
    }

    /** The tag as it stands in requests. */
    public String word() {
      return word;
    }
  }

  /**
   * A block number.
   *
   * @param number at least 0; numbers beyond 63 bits are capped at {@link Long#MAX_VALUE}, which is
   *     past every head just the same
   */
  record Height(long number) implements Point {
    public Height {
      if (number < 0) {
        throw new IllegalArgumentException("height must not be negative, was " + number);
      }
    }
  }

  /**
   * From one height to another, both included, in the order the caller gave them.
   *
   * @param from the end named first
   * @param to the end named last
   */
  record Range(Point from, Point to) implements BlockReference {}

  /** References without a height. */
  enum Unbound implements BlockReference {
    /** A block by its hash: its height is not known from the request. */
    BY_HASH,
    /** The method reads no particular block, or its block follows from a transaction. */
    NONE,
    /** The parameters can't be read as what the method takes; the provider will say so. */
    UNPARSEABLE
  }
}
