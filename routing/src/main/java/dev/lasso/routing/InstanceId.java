package dev.lasso.routing;

/**
 * Names an upstream node or account as the fleet shares it: {@code <host hint>-<12 hex>}. Equal
 * upstreams of several profiles have one instance id, and with it one set of probes, heights,
 * circuits and connections.
 *
 * @param value 1 to 128 of letters, digits, '.', '_' or '-'
 */
public record InstanceId(String value) implements Comparable<InstanceId> {
  public InstanceId {
    Names.requireName("instance id", value);
  }

  public static InstanceId of(String value) {
    return new InstanceId(value);
  }

  @Override
  public int compareTo(InstanceId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
