package dev.lasso.routing;

/**
 * Names a region: the processes that measure providers from one place. Latency, health and circuits
 * are kept per region.
 *
 * @param value 1 to 128 of letters, digits, '.', '_' or '-'
 */
public record Region(String value) implements Comparable<Region> {
  public Region {
    Names.requireName("region", value);
  }

  public static Region of(String value) {
    return new Region(value);
  }

  @Override
  public int compareTo(Region other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
