package dev.lasso.subscription;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which logs are wanted (execution-apis, {@code eth_getLogs}). Values are in lower case.
 *
 * @param addresses who may have emitted it; empty for anybody
 * @param topics for each position the topics allowed; an empty set allows all, and then a log must
 *     still have a topic there. A log may have more topics than positions are given.
 */
public record LogFilter(Set<String> addresses, List<Set<String>> topics) {
  /** Every log. */
  public static final LogFilter ALL = new LogFilter(Set.of(), List.of());

  private static final int MAX_POSITIONS = 4;
  private static final int MAX_CHOICES = 1_024;
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");
  private static final Pattern TOPIC = Pattern.compile("0x[0-9a-fA-F]{64}");

  public LogFilter {
    addresses = Set.copyOf(addresses);
    topics = topics.stream().map(Set::copyOf).toList();
  }

  /**
   * Reads {@code address} and {@code topics} of a filter object.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static LogFilter read(JsonObject object) {
    Set<String> addresses = choices("address", object.getValue("address"), ADDRESS);
    return new LogFilter(
        addresses == null ? Set.of() : addresses, topics(object.getValue("topics")));
  }

  private static List<Set<String>> topics(@Nullable Object value) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof JsonArray array)) {
      throw new IllegalArgumentException("topics must be an array");
    }
    if (array.size() > MAX_POSITIONS) {
      throw new IllegalArgumentException("topics must have at most 4 positions");
    }
    List<Set<String>> topics = new ArrayList<>();
    for (Object position : array) {
      Set<String> choices = choices("topics", position, TOPIC);
      topics.add(choices == null ? Set.of() : choices);
    }
    return topics;
  }

  /** One value, several, or null for no condition. A list with a null in it sets none either. */
  private static @Nullable Set<String> choices(
      String what, @Nullable Object value, Pattern pattern) {
    return switch (value) {
      case null -> null;
      case String one -> Set.of(checked(what, one, pattern));
      case JsonArray many when many.size() > MAX_CHOICES ->
          throw new IllegalArgumentException(
              what + " must have at most " + MAX_CHOICES + " choices");
      case JsonArray many when many.stream().anyMatch(java.util.Objects::isNull) -> null;
      case JsonArray many ->
          many.stream()
              .map(entry -> checked(what, entry, pattern))
              .collect(Collectors.toUnmodifiableSet());
      default -> throw new IllegalArgumentException(what + " must be a string or an array");
    };
  }

  private static String checked(String what, Object value, Pattern pattern) {
    if (value instanceof String text && pattern.matcher(text).matches()) {
      return text.toLowerCase(Locale.ROOT);
    }
    throw new IllegalArgumentException(
        "invalid "
            + what
            + ": expected 0x and "
            + (pattern.equals(ADDRESS) ? 40 : 64)
            + " hex digits");
  }

  /** Whether a log is wanted. */
  public boolean matches(LogEntry log) {
    if (!addresses.isEmpty() && !addresses.contains(log.address())) {
      return false;
    }
    if (log.topics().size() < topics.size()) {
      return false;
    }
    for (int i = 0; i < topics.size(); i++) {
      Set<String> allowed = topics.get(i);
      if (!allowed.isEmpty() && !allowed.contains(log.topics().get(i))) {
        return false;
      }
    }
    return true;
  }
}
