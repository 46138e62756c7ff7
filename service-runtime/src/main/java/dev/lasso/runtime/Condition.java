package dev.lasso.runtime;

/** How well a part of a process can do its work right now. */
public sealed interface Condition {
  /** Everything works. */
  record Ready() implements Condition {}

  /** Work is done, from what was known last; {@code reason} says what is missing. */
  record Degraded(String reason) implements Condition {}

  /** No work can be done yet; {@code reason} says what is waited for. */
  record NotReady(String reason) implements Condition {}

  /** {@link Ready}. */
  static Condition ready() {
    return new Ready();
  }

  /** {@link Degraded}. */
  static Condition degraded(String reason) {
    return new Degraded(reason);
  }

  /** {@link NotReady}. */
  static Condition notReady(String reason) {
    return new NotReady(reason);
  }
}
