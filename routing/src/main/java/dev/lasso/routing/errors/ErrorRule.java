package dev.lasso.routing.errors;

import java.util.List;
import java.util.Set;

/**
 * A provider's own rule ({@code error_rules} of a profile), tried before the built-in table. It
 * applies when every condition given holds: the code is one of {@code codes}, the HTTP status one
 * of {@code statuses}, and one of the {@code messages} stands in the message or data.
 *
 * <p>Messages are phrases, not regular expressions, so that no pattern can hold up an event loop:
 * words in a row, {@code a/b} for one of two, {@code #} for a number, {@code *} for up to ten
 * words, {@code word?} for an optional one, {@code ^} and {@code $} for beginning and end. Case,
 * punctuation and plurals don't matter.
 *
 * @param name shown where the rule decided
 * @param codes JSON-RPC codes, empty for any or none
 * @param statuses HTTP statuses, empty for any or none
 * @param messages phrases, empty for any or none
 * @param errorClass what such an error is
 */
public record ErrorRule(
    String name,
    Set<Integer> codes,
    Set<Integer> statuses,
    List<String> messages,
    ErrorClass errorClass) {
  /**
   * Checks the rule.
   *
   * @throws IllegalArgumentException when the rule has no condition or a phrase can't be read
   */
  public ErrorRule {
    codes = Set.copyOf(codes);
    statuses = Set.copyOf(statuses);
    messages = List.copyOf(messages);
    if (name.isBlank()) {
      throw new IllegalArgumentException("an error rule needs a name");
    }
    if (codes.isEmpty() && statuses.isEmpty() && messages.isEmpty()) {
      throw new IllegalArgumentException(
          "error rule '" + name + "' needs at least one of codes, statuses, messages");
    }
    Phrase.parseAll(messages);
  }
}
