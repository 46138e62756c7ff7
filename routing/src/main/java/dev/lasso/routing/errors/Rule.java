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

  /** A row that judges by text. */
  static Rule text(String name, ErrorClass errorClass, String... phrases) {
    return new Rule(
        name,
        errorClass,
        new NumberCondition.Any(),
        new NumberCondition.Any(),
        Phrase.parseAll(List.of(phrases)));
  }

  /** A row that judges by a code alone. */
  static Rule code(String name, ErrorClass errorClass, Integer... codes) {
    return new Rule(
        name,
        errorClass,
        NumberCondition.oneOf(List.of(codes)),
        new NumberCondition.Any(),
        List.of());
  }

  /** A row that judges by an HTTP status alone. */
  static Rule status(String name, ErrorClass errorClass, int low, int high) {
    return new Rule(
        name, errorClass, new NumberCondition.Any(), NumberCondition.between(low, high), List.of());
  }

  static Rule of(ErrorRule rule) {
    return new Rule(
        rule.name(),
        rule.errorClass(),
        NumberCondition.oneOf(rule.codes()),
        NumberCondition.oneOf(rule.statuses()),
        Phrase.parseAll(rule.messages()));
  }

  Rule withCodes(NumberCondition condition) {
    return new Rule(name, errorClass, condition, statuses, phrases);
  }

  Rule withStatuses(NumberCondition condition) {
    return new Rule(name, errorClass, codes, condition, phrases);
  }

  /** Whether the numbers fit; says nothing about the text. */
  boolean accepts(@Nullable Integer code, @Nullable Integer status) {
    return codes.accepts(code) && statuses.accepts(status);
  }
}
