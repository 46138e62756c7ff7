package dev.lasso.routing;

/**
 * An EIP-155 chain id: a positive integer that names one EVM chain everywhere.
 *
 * @param value the id, 1 or greater
 */
public record ChainId(long value) implements Comparable<ChainId> {
  public ChainId {
    if (value < 1) {
      throw new IllegalArgumentException("chain id must be 1 or greater, was " + value);
    }
  }

  public static ChainId of(long value) {
    return new ChainId(value);
  }

  /**
   * Reads a decimal chain id.
   *
   * @param decimal digits only
   * @throws IllegalArgumentException when the text is not a positive decimal number
   */
  public static ChainId parse(String decimal) {
    try {
      return new ChainId(Long.parseLong(decimal));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "chain id must be decimal digits, was '" + decimal + "'", e);
    }
  }

  /** The id as a JSON-RPC quantity, as {@code eth_chainId} answers it. */
  public String hex() {
    return "0x" + Long.toHexString(value);
  }

  @Override
  public int compareTo(ChainId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
