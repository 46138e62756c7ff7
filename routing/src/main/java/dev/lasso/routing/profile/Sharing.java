package dev.lasso.routing.profile;

/** Whether equal upstreams of other profiles are the same instance. */
public enum Sharing {
  /** Probes, heights, circuits and connections are shared with equal upstreams. */
  SHARED("shared"),
  /** The profile has an instance of its own. */
  ISOLATED("isolated");

  private final String word;

  Sharing(String word) {
    this.word = word;
  }

  /** The word in profile files. */
  public String word() {
    return word;
  }
}
