package dev.lasso.routing.profile;

import java.util.List;

/**
 * Which methods a chain's clients may call, beside the built-in rule that key-holding, node
 * administration and development-chain methods are never forwarded.
 *
 * @param allow methods forwarded though the built-in rule says no
 * @param deny methods refused though it says yes; wins over {@code allow}
 */
public record MethodAccess(List<MethodPattern> allow, List<MethodPattern> deny) {
  public static final MethodAccess DEFAULT = new MethodAccess(List.of(), List.of());

  public MethodAccess {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
  }

  /** Whether the profile forwards the method, given what the built-in rule says. */
  public boolean permits(String method, boolean builtIn) {
    if (deny.stream().anyMatch(pattern -> pattern.matches(method))) {
      return false;
    }
    return builtIn || allow.stream().anyMatch(pattern -> pattern.matches(method));
  }
}
