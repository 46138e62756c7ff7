package dev.lasso.routing.facts;

import dev.lasso.routing.facts.BlockReference.Tag;

/**
 * Where a method's parameters say which block is read. Indexes count from 0.
 *
 * <p>An omitted or null block parameter means the latest block, as in go-ethereum; filters may say
 * otherwise.
 */
public sealed interface BlockParameter {

  /** No parameter that matters. */
  record None() implements BlockParameter {}

  /** A number, tag, block hash or EIP-1898 object. */
  record Block(int index) implements BlockParameter {}

  /** A block hash. */
  record Hash(int index) implements BlockParameter {}

  /**
   * A filter object with {@code fromBlock}, {@code toBlock} or {@code blockHash} (EIP-234).
   *
   * @param index which parameter
   * @param omittedFrom where the range begins when {@code fromBlock} is left out
   */
  record Filter(int index, Tag omittedFrom) implements BlockParameter {}

  /** Two parameters, the second of which may be left out for a range of one block. */
  record Range(int fromIndex, int toIndex) implements BlockParameter {}

  /**
   * Reads the form used in the method table: {@code -}, {@code block@1}, {@code hash@0}, {@code
   * filter@0}, {@code filter@0:earliest}, {@code range@0,1}.
   *
   * @throws IllegalArgumentException when the text is none of these
   */
  static BlockParameter parse(String text) {
    if (text.equals("-")) {
      return new None();
    }
    String[] parts = text.split("[@,:]", -1);
    try {
      return switch (parts[0]) {
        case "block" -> new Block(Integer.parseInt(parts[1]));
        case "hash" -> new Hash(Integer.parseInt(parts[1]));
        case "range" -> new Range(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        case "filter" ->
            new Filter(
                Integer.parseInt(parts[1]), text.endsWith(":earliest") ? Tag.EARLIEST : Tag.LATEST);
        default -> throw new IllegalArgumentException("no such kind");
      };
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException unreadable) {
      throw new IllegalArgumentException(
          "block parameter '" + text + "' can't be read", unreadable);
    }
  }

  /** The form used in the method table. */
  default String text() {
    return switch (this) {
      case None _ -> "-";
      case Block block -> "block@" + block.index();
      case Hash hash -> "hash@" + hash.index();
      case Filter filter ->
          "filter@" + filter.index() + (filter.omittedFrom() == Tag.EARLIEST ? ":earliest" : "");
      case Range range -> "range@" + range.fromIndex() + "," + range.toIndex();
    };
  }
}
