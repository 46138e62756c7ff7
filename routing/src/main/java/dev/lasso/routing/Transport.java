package dev.lasso.routing;

/** How a request reaches a provider. */
public enum Transport {
  HTTP("http"),
  WS("ws");

  private final String word;

  Transport(String word) {
    this.word = word;
  }

  /** The word used in topic keys, metric tags, logs and answers. */
  public String word() {
    return word;
  }

  /**
   * Reads a transport word.
   *
   * @throws IllegalArgumentException for any other word than {@code http} and {@code ws}
   */
  public static Transport parse(String word) {
    return switch (word) {
      case "http" -> HTTP;
      case "ws" -> WS;
      default ->
          throw new IllegalArgumentException("transport must be http or ws, was '" + word + "'");
    };
  }
}
