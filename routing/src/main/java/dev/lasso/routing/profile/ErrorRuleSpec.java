package dev.lasso.routing.profile;

import dev.lasso.routing.errors.ErrorClass;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A provider's own reading of an error, tried before the built-in table. All conditions given must
 * hold; at least one must be given.
 *
 * @param codes JSON-RPC error codes, any of which matches; empty for any code
 * @param messageContains texts, any of which the message contains, ignoring case; empty for any
 *     message
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
    messageContains.forEach(text -> Require.notBlank("message_contains", text));
    if (httpStatus != null) {
      Require.between("http_status", httpStatus, 100, 599);
    }
    if (codes.isEmpty() && messageContains.isEmpty() && httpStatus == null) {
      throw new IllegalArgumentException(
          "error rule must set code, message_contains or http_status");
    }
  }
}
