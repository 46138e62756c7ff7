package dev.lasso.routing.errors;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A provider's own rule ({@code error_rules} of a profile), tried before the built-in table. It
 * applies when every condition given holds.
 *
 * @param name shown where the rule decided
 * @param codes JSON-RPC codes, one of which the error must have; empty for any or none
 * @param messageContains texts, one of which must stand in the message or the data, ignoring case;
 *     empty for any
 * @param httpStatus the HTTP status, or null for any or none
 * @param errorClass what such an error is
 */
public record ErrorRule(
    String name,
    Set<Integer> codes,
    List<String> messageContains,
    @Nullable Integer httpStatus,
    ErrorClass errorClass) {
  /**
   * Checks the rule.
   *
   * @throws IllegalArgumentException when the rule has no name or no condition, or an empty text
   */
  public ErrorRule {
    codes = Set.copyOf(codes);
    messageContains = messageContains.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    if (name.isBlank() || messageContains.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("an error rule's name and texts must not be blank");
    }
    if (codes.isEmpty() && messageContains.isEmpty() && httpStatus == null) {
      throw new IllegalArgumentException("error rule '" + name + "' has no condition");
    }
  }

  boolean applies(UpstreamError error) {
    return (codes.isEmpty() || (error.code() != null && codes.contains(error.code())))
        && (httpStatus == null || httpStatus.equals(error.httpStatus()))
        && (messageContains.isEmpty() || containsOne(error.message()) || containsOne(error.data()));
  }

  private boolean containsOne(@Nullable String text) {
    if (text == null) {
      return false;
    }
    String read =
        text.substring(0, Math.min(text.length(), Words.MAX_CHARS)).toLowerCase(Locale.ROOT);
    return messageContains.stream().anyMatch(read::contains);
  }
}
