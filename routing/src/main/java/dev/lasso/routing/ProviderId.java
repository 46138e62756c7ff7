package dev.lasso.routing;

/**
 * Names a provider within one chain of one profile. Two profiles may use the same id for different
 * upstreams.
 *
 * @param value 1 to 128 of letters, digits, '.', '_' or '-'
 */
public record ProviderId(String value) implements Comparable<ProviderId> {
  public ProviderId {
    Names.requireName("provider id", value);
  }

  public static ProviderId of(String value) {
    return new ProviderId(value);
  }

  @Override
  public int compareTo(ProviderId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
