package dev.lasso.simulator;

import dev.lasso.simulator.fault.FaultRule;
import dev.lasso.simulator.time.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to go wrong when. As text, one step a line; {@code #} begins a comment:
 *
 * <pre>
 * # at   whom             what
 * 10s    flaky            http:503 p=0.5 for=30s
 * 45s    flaky            clear
 * 60s    chain:ethereum   fork:3
 * </pre>
 *
 * @param steps in any order
 */
public record FaultScript(List<Step> steps) {

  /** Nothing goes wrong. */
  public static final FaultScript EMPTY = new FaultScript(List.of());

  private static final String CHAIN = "chain:";

  /** Copies the steps. */
  public FaultScript {
    steps = List.copyOf(steps);
  }

  /** Something that happens at a time counted from the simulation's start. */
  public sealed interface Step {
    /** Time since the start. */
    Duration at();
  }

  /** A fault is pinned at a provider. */
  public record Pin(Duration at, String provider, FaultRule rule) implements Step {}

  /** All faults of a provider are cleared. */
  public record Clear(Duration at, String provider) implements Step {}

  /** A chain is commanded. */
  public record Command(Duration at, String chain, ChainCommand command) implements Step {}

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException naming the line, the word and what is expected
   */
  public static FaultScript parse(String text) {
    List<Step> steps = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      int comment = line.indexOf('#');
      String content = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (!content.isEmpty()) {
        try {
          steps.add(step(content));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
        }
      }
    }
    return new FaultScript(steps);
  }

  private static Step step(String line) {
    String[] words = line.split("\\s+", 3);
    if (words.length < 3) {
      throw new IllegalArgumentException(
          "expected 'TIME PROVIDER FAULT' or 'TIME chain:NAME COMMAND', was '" + line + "'");
    }
    Duration at = TimeText.parse(words[0]);
    if (words[1].startsWith(CHAIN)) {
      return new Command(at, words[1].substring(CHAIN.length()), ChainCommand.parse(words[2]));
    }
    return words[2].equals("clear")
        ? new Clear(at, words[1])
        : new Pin(at, words[1], FaultRule.parse(words[2]));
  }
}
