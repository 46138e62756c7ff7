package dev.lasso.runtime.settings;

import java.util.List;

/**
 * The environment holds settings that can't be used. Tells of all of them at once, one line each.
 */
public final class SettingsException extends RuntimeException {
  private final List<String> problems;

  /** Needs at least one problem. */
  public SettingsException(List<String> problems) {
    super(String.join("\n", problems));
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("no problem, no exception");
    }
    this.problems = List.copyOf(problems);
  }

  /** Name, value, expectation; for an unknown name the nearest known one. */
  public List<String> problems() {
    return problems;
  }
}
