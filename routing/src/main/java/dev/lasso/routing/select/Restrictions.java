package dev.lasso.routing.select;

import java.util.Map;
import java.util.Set;

/**
 * What a provider is configured not to serve.
 *
 * @param methods exact method names, lower case
 * @param methodPrefixes beginnings of method names, lower case
 * @param categories category words
 * @param maxBlockRange widest block range by method; under {@code *} for all methods; 0 for no
 *     limit
 * @param maxBlockAge how many blocks behind the consensus height it serves; 0 for no limit
 */
public record Restrictions(
    Set<String> methods,
    Set<String> methodPrefixes,
    Set<String> categories,
    Map<String, Long> maxBlockRange,
    long maxBlockAge) {
  public static final Restrictions NONE =
      new Restrictions(Set.of(), Set.of(), Set.of(), Map.of(), 0);

  public Restrictions {
    methods = Set.copyOf(methods);
    methodPrefixes = Set.copyOf(methodPrefixes);
    categories = Set.copyOf(categories);
    maxBlockRange = Map.copyOf(maxBlockRange);
  }

  boolean none() {
    return methods.isEmpty()
        && methodPrefixes.isEmpty()
        && categories.isEmpty()
        && maxBlockRange.isEmpty()
        && maxBlockAge == 0;
  }

  boolean forbid(String method, String category) {
    if (categories.contains(category) || methods.contains(method)) {
      return true;
    }
    for (String prefix : methodPrefixes) {
      if (method.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** The widest range accepted for a method; {@link Long#MAX_VALUE} when unlimited. */
  long rangeLimit(String method) {
    Long limit = maxBlockRange.get(method);
    if (limit == null) {
      limit = maxBlockRange.get("*");
    }
    return limit == null || limit == 0 ? Long.MAX_VALUE : limit;
  }
}
