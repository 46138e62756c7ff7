package dev.lasso.routing.errors;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of the error table: an error that meets all conditions is of the class.
 *
 * @param name identifies the row in decisions, logs and {@code docs/errors.md}
 * @param errorClass what such an error is
 * @param codes what the JSON-RPC (or WebSocket close) code must be
 * @param statuses what the HTTP status must be
 * @param phrases one of these must stand in the text; empty for rows that judge by numbers alone
 */
record Rule(
    String name,
    ErrorClass errorClass,
    NumberCondition codes,
    NumberCondition statuses,
    List<Phrase> phrases) {
  Rule {
    phrases = List.copyOf(phrases);
  }

  static Rule of(ErrorRule rule) {
    return new Rule(
        rule.name(),
        rule.errorClass(),
        NumberCondition.oneOf(rule.codes()),
        NumberCondition.oneOf(rule.statuses()),
        Phrase.parseAll(rule.messages()));
  }

  Rule withPhrases(List<Phrase> others) {
    return new Rule(name, errorClass, codes, statuses, others);
  }

  /** Whether the numbers fit; says nothing about the text. */
  boolean accepts(@Nullable Integer code, @Nullable Integer status) {
    return codes.accepts(code) && statuses.accepts(status);
  }
}
