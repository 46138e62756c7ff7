package dev.lasso.routing.profile;

import org.jspecify.annotations.Nullable;

/** Where the variables of {@link Templated} texts come from: usually the process environment. */
@FunctionalInterface
public interface Environment {
  /** The variable's value, or null when it is not set. */
  @Nullable String value(String name);
}
