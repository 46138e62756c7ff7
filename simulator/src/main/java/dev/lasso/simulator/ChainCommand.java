package dev.lasso.simulator;

import dev.lasso.simulator.chain.SimChain;

/** Something done to a whole chain, true for all its providers. */
public sealed interface ChainCommand {

  /** Mines a number of blocks at once. */
  record Mine(int blocks) implements ChainCommand {}

  /** Replaces the newest blocks; see {@link SimChain#fork}. */
  record Fork(int depth) implements ChainCommand {}

  /** Takes back the newest blocks; see {@link SimChain#rewind}. */
  record Rewind(int blocks) implements ChainCommand {}

  /** Stops mining by clock. */
  record Pause() implements ChainCommand {}

  /** Goes on mining by clock. */
  record Resume() implements ChainCommand {}

  /**
   * Reads {@code mine[:n]}, {@code fork:depth}, {@code rewind:n}, {@code pause} or {@code resume}.
   *
   * @throws IllegalArgumentException if the text is none of them
   */
  static ChainCommand parse(String text) {
    int colon = text.indexOf(':');
    String word = colon < 0 ? text : text.substring(0, colon);
    int number = 1;
    if (colon >= 0) {
      try {
        number = Integer.parseInt(text.substring(colon + 1));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "chain command '" + word + "' needs a number, was '" + text + "'", e);
      }
    }
    return switch (word) {
      case "mine" -> new Mine(number);
      case "fork" -> new Fork(number);
      case "rewind" -> new Rewind(number);
      case "pause" -> new Pause();
      case "resume" -> new Resume();
      default ->
          throw new IllegalArgumentException(
              "unknown chain command '" + word + "', known are mine, fork, rewind, pause, resume");
    };
  }

  /**
   * Does it.
   *
   * @throws IllegalArgumentException if the chain cannot, say because it is too short
   */
  default void applyTo(SimChain chain) {
    switch (this) {
      case Mine(int blocks) -> chain.mine(blocks);
      case Fork(int depth) -> chain.fork(depth);
      case Rewind(int blocks) -> chain.rewind(blocks);
      case Pause pause -> chain.pause();
      case Resume resume -> chain.resume();
    }
  }
}
