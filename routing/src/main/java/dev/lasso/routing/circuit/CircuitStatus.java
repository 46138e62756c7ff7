package dev.lasso.routing.circuit;

/** The state of a circuit without its counters, ordered from best to worst. */
public enum CircuitStatus {
  CLOSED("closed"),
  HALF_OPEN("half_open"),
  OPEN("open");

  private final String word;

  CircuitStatus(String word) {
    this.word = word;
  }

  /** The word used in topics, metric tags, logs and answers. */
  public String word() {
    return word;
  }

  /** The worse of two states: the effective circuit is the worse of the local and the fleet's. */
  public CircuitStatus worse(CircuitStatus other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
