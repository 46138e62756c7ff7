package dev.lasso.routing.event;

/** What an operator calls the health of an endpoint; routing itself reads the circuit. */
public enum HealthStatus {
  UNKNOWN("unknown"),
  HEALTHY("healthy"),
  DEGRADED("degraded"),
  UNAVAILABLE("unavailable");

  private final String word;

  HealthStatus(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
