package dev.lasso.routing;

/**
 * How the candidates of a request are ranked before health tiers are applied (seed page
 * routing-strategies).
 */
public enum StrategyName {
  LOAD_BALANCED("load_balanced"),
  PRIORITY("priority"),
  FASTEST("fastest"),
  LATENCY_WEIGHTED("latency_weighted"),
  LEAST_LOADED("least_loaded");

  private final String word;

  StrategyName(String word) {
    this.word = word;
  }

  /** The word used in profiles, metric tags, logs and answers. */
  public String word() {
    return word;
  }

  /** The word with hyphens, as URL paths write it. */
  public String pathWord() {
    return word.replace('_', '-');
  }

  /**
   * Accepts underscores and hyphens.
   *
   * @throws IllegalArgumentException naming the known strategies
   */
  public static StrategyName parse(String word) {
    for (StrategyName name : values()) {
      if (name.word.equals(word.replace('-', '_'))) {
        return name;
      }
    }
    throw new IllegalArgumentException(
        "strategy must be load_balanced, priority, fastest, latency_weighted or least_loaded, was '"
            + word
            + "'");
  }
}
