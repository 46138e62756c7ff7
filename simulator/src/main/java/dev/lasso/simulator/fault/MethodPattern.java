package dev.lasso.simulator.fault;

import java.util.List;

/**
 * A set of JSON-RPC methods: names and prefixes ending in {@code *}, separated by commas.
 *
 * @param patterns at least one
 */
public record MethodPattern(List<String> patterns) {

  /** Every method. */
  public static final MethodPattern ANY = new MethodPattern(List.of("*"));

  /** Copies and checks the patterns. */
  public MethodPattern {
    patterns = List.copyOf(patterns);
    if (patterns.isEmpty()
        || patterns.stream().anyMatch(pattern -> !pattern.matches("[A-Za-z0-9_]*\\*?|\\*"))
        || patterns.contains("")) {
      throw new IllegalArgumentException(
          "methods are names or prefixes with a final *, separated by commas: "
              + String.join(",", patterns));
    }
  }

  /**
   * Reads a comma-separated list.
   *
   * @throws IllegalArgumentException if a part is no name and no prefix
   */
  public static MethodPattern parse(String text) {
    return new MethodPattern(List.of(text.split(",", -1)));
  }

  /** Whether the method belongs to the set. */
  public boolean matches(String method) {
    return patterns.stream()
        .anyMatch(
            pattern ->
                pattern.endsWith("*")
                    ? method.startsWith(pattern.substring(0, pattern.length() - 1))
                    : method.equals(pattern));
  }

  @Override
  public String toString() {
    return String.join(",", patterns);
  }
}
