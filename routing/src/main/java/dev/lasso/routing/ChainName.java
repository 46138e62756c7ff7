package dev.lasso.routing;

import java.util.Locale;
import java.util.Set;

/**
 * A word that URLs name a chain by, beside its decimal id: {@code ethereum}, {@code base}. Case
 * does not matter; kept in lower case.
 *
 * @param value 1 to 128 of lower-case letters, digits, '.', '_' or '-', not digits alone and not a
 *     word that routes use themselves
 */
public record ChainName(String value) implements Comparable<ChainName> {
  /** Words that stand where a chain name could stand in a route. */
  public static final Set<String> ROUTE_WORDS =
      Set.of(
          "rpc",
          "ws",
          "api",
          "profile",
          "provider",
          "load-balanced",
          "load_balanced",
          "round-robin",
          "priority",
          "fastest",
          "latency-weighted",
          "latency_weighted",
          "least-loaded",
          "least_loaded");

  public ChainName {
    value = Names.requireName("chain name", value).toLowerCase(Locale.ROOT);
    if (value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException(
          "chain name must not be digits alone (that is a chain id), was '" + value + "'");
    }
    if (ROUTE_WORDS.contains(value)) {
      throw new IllegalArgumentException(
          "chain name must not be a word that routes use, was '" + value + "'");
    }
  }

  public static ChainName of(String value) {
    return new ChainName(value);
  }

  @Override
  public int compareTo(ChainName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
