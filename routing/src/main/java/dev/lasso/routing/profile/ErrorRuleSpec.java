package dev.lasso.routing.profile;

import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.errors.ErrorRule;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A provider's own reading of an error, tried before the built-in table. All conditions given must
 * hold; at least one must be given.
 *
 * @param codes JSON-RPC error codes, any of which matches; empty for any code
 * @param messageContains phrases as {@link ErrorRule} reads them, any of which stands in the
 *     message; empty for any message
 * @param httpStatus the HTTP status, or null for any
 * @param errorClass what such an error is
 */
public record ErrorRuleSpec(
    Set<Integer> codes,
    List<String> messageContains,
    @Nullable Integer httpStatus,
    ErrorClass errorClass) {
  public ErrorRuleSpec {
    codes = Collections.unmodifiableSet(new TreeSet<>(codes));
    messageContains = List.copyOf(messageContains);
    if (httpStatus != null) {
      Require.between("http_status", httpStatus, 100, 599);
    }
    Objects.requireNonNull(rule("profile", codes, messageContains, httpStatus, errorClass));
  }

  /**
   * The rule as the classifier takes it.
   *
   * @param name shown where the rule decided
   */
  public ErrorRule toRule(String name) {
    return rule(name, codes, messageContains, httpStatus, errorClass);
  }

  private static ErrorRule rule(
      String name,
      Set<Integer> codes,
      List<String> messages,
      @Nullable Integer httpStatus,
      ErrorClass errorClass) {
    return new ErrorRule(
        name, codes, httpStatus == null ? Set.of() : Set.of(httpStatus), messages, errorClass);
  }
}
