package dev.lasso.runtime;

/** A part of a process whose condition counts for the whole. */
public interface ReadinessSource {
  /** Names the part in the report, {@code profiles view}. */
  String name();

  /** The condition now. Called from any thread, must not block. */
  Condition condition();
}
