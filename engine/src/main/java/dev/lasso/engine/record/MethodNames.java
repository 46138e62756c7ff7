package dev.lasso.engine.record;

import dev.lasso.routing.facts.MethodTable;
import java.util.HashSet;
import java.util.Set;

/**
 * Keeps the set of method names in records closed: those of the method table, a number of others,
 * and {@code other} for what is beyond. Belongs to the recorder's agent thread.
 */
final class MethodNames {
  private final int maxUnlisted;
  private final Set<String> unlisted = new HashSet<>();

  MethodNames(int maxUnlisted) {
    this.maxUnlisted = maxUnlisted;
  }

  String kept(String method) {
    if (MethodTable.lookup(method) != null || unlisted.contains(method)) {
      return method;
    }
    if (unlisted.size() >= maxUnlisted) {
      return Digests.OTHER;
    }
    unlisted.add(method);
    return method;
  }
}
