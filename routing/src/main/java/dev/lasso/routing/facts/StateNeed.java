package dev.lasso.routing.facts;

/** What a method needs a node to have kept of the block it reads. */
public enum StateNeed {
  /** State at the block: an old one needs an archive node. */
  STATE("state"),
  /** Headers, bodies, receipts or logs: nodes that prune state serve them, however old. */
  HISTORY("history"),
  /** Nothing of a particular block. */
  NONE("none");

  private final String word;

  StateNeed(String word) {
    this.word = word;
  }

  /** The word used in the method table. */
  public String word() {
    return word;
  }
}
