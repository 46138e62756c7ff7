package dev.lasso.schemas;

/** How long a topic keeps its records. */
public enum Cleanup {
  /** Every record for the topic's retention. */
  DELETE("delete"),
  /** The last record of each key for ever. */
  COMPACT("compact"),
  /**
   * The last record of each key for ever, and every version for the history window, so that state
   * at any moment of it can be rebuilt.
   */
  COMPACT_WITH_HISTORY("compact, with history");

  private final String word;

  Cleanup(String word) {
    this.word = word;
  }

  /** The words that documents use. */
  public String word() {
    return word;
  }
}
