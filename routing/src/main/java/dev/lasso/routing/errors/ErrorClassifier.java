package dev.lasso.routing.errors;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one place that says what an upstream error is. Rules are tried in this order; the first that
 * applies decides:
 *
 * <ol>
 *   <li>the provider's own rules, on message and data;
 *   <li>telling messages, some of them tied to a code or an HTTP status;
 *   <li>the same table on the error's {@code data}, where many vendors put the real reason;
 *   <li>messages that merely name their code ("Invalid params", "Internal error");
 *   <li>the code;
 *   <li>the HTTP status;
 *   <li>nothing applies: {@link ErrorClass#UNKNOWN}.
 * </ol>
 *
 * <p>Immutable and free of I/O, so it may be used from any thread. Classification takes a few
 * microseconds whatever the text: at most {@value Words#MAX_CHARS} characters are read, and the
 * phrases of the table can't backtrack. The table is printed in {@code docs/errors.md}.
 */
public final class ErrorClassifier {
  private static final String UNMATCHED = "unmatched";

  private static final Map<String, RuleTable> TABLES = RuleFile.read();
  private static final RuleTable TELLING = table("telling");
  private static final RuleTable NAMING = table("naming");
  private static final RuleTable CODES = table("codes");
  private static final RuleTable STATUSES = table("statuses");

  private static final ErrorClassifier STANDARD = new ErrorClassifier(List.of());

  private final RuleTable own;

  private ErrorClassifier(List<ErrorRule> own) {
    this.own = new RuleTable(own.stream().map(Rule::of).toList());
  }

  /** The classifier of providers without rules of their own. */
  public static ErrorClassifier standard() {
    return STANDARD;
  }

  /** A classifier that tries a provider's own rules, in the given order, before the table. */
  public static ErrorClassifier withRules(List<ErrorRule> own) {
    return own.isEmpty() ? STANDARD : new ErrorClassifier(own);
  }

  /** Says what the error is. Never fails: what matches nothing is {@link ErrorClass#UNKNOWN}. */
  public Classification classify(UpstreamError error) {
    Integer code = error.code();
    Integer status = error.httpStatus();
    List<String> message = words(error.message());
    List<String> data = isHex(error.data()) ? List.of() : words(error.data());

    Rule rule = own.find(code, status, message);
    if (rule == null) {
      rule = own.find(code, status, data);
    }
    if (rule == null) {
      rule = TELLING.find(code, status, message);
    }
    if (rule == null) {
      rule = TELLING.find(code, status, data);
    }
    if (rule == null) {
      rule = NAMING.find(code, status, message);
    }
    if (rule == null) {
      rule = CODES.find(code, status, List.of());
    }
    if (rule == null) {
      rule = STATUSES.find(code, httpStatus(error), List.of());
    }
    return rule == null
        ? new Classification(ErrorClass.UNKNOWN, UNMATCHED)
        : new Classification(rule.errorClass(), rule.name());
  }

  /** Some vendors put the HTTP status into the JSON-RPC code of a 200 answer. */
  private static @Nullable Integer httpStatus(UpstreamError error) {
    Integer code = error.code();
    return code != null && code >= 400 && code < 600 ? code : error.httpStatus();
  }

  private static List<String> words(@Nullable String text) {
    return text == null ? List.of() : Words.of(text);
  }

  /** Revert data and the like: nothing to read. */
  private static boolean isHex(@Nullable String data) {
    return data != null && (data.startsWith("0x") || data.startsWith("\"0x"));
  }

  private static RuleTable table(String name) {
    return Objects.requireNonNull(TABLES.get(name), name);
  }

  /** The tables in the order tried, for the documentation and its test. */
  static Map<String, RuleTable> tables() {
    return TABLES;
  }
}
