package dev.lasso.subscription;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
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

  /** What a filter may take as JSON, in bytes: enough for all choices of address and a position. */
  static final int MAX_BYTES = 128 << 10;

  private static final int MAX_POSITIONS = 4;
  private static final int MAX_CHOICES = 1_024;

  /** Digits, {@code 0x}, two quotes and a comma. */
  private static final int ADDRESS_BYTES = 45;

  private static final int TOPIC_BYTES = 69;
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
    LogFilter filter =
        new LogFilter(
            choices("address", object.getValue("address"), ADDRESS),
            topics(object.getValue("topics")));
    long bytes = filter.bytes();
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "address and topics take " + bytes + " bytes: expected at most " + MAX_BYTES);
    }
    return filter;
  }

  /** What it takes as JSON, roughly. */
  private long bytes() {
    long choices = topics.stream().mapToLong(Set::size).sum();
    return (long) ADDRESS_BYTES * addresses.size() + TOPIC_BYTES * choices;
  }

  /** Puts what it says into a filter object, in one form whatever form it was read in. */
  void write(JsonObject object) {
    if (!addresses.isEmpty()) {
      object.put("address", written(addresses));
    }
    if (!topics.isEmpty()) {
      JsonArray positions = new JsonArray();
      topics.forEach(
          choices -> {
            if (choices.isEmpty()) {
              positions.addNull();
            } else {
              positions.add(written(choices));
            }
          });
      object.put("topics", positions);
    }
  }

  /** One value by itself, several as a list. */
  private static Object written(Set<String> choices) {
    List<String> sorted = choices.stream().sorted().toList();
    return sorted.size() == 1 ? sorted.getFirst() : new JsonArray(sorted);
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
    for (int i = 0; i < array.size(); i++) {
      topics.add(choices("topics[" + i + "]", array.getValue(i), TOPIC));
    }
    return topics;
  }

  /**
   * One value, several, or null for no condition. A list with a null in it sets none either, and
   * the rest of it must be right all the same.
   */
  private static Set<String> choices(String what, @Nullable Object value, Pattern pattern) {
    return switch (value) {
      case null -> Set.of();
      case String one -> Set.of(checked(what, one, pattern));
      case JsonArray many when many.size() > MAX_CHOICES ->
          throw new IllegalArgumentException(
              what + " must have at most " + MAX_CHOICES + " choices");
      case JsonArray many -> listed(what, many, pattern);
      default -> throw new IllegalArgumentException(what + " must be a string or an array");
    };
  }

  private static Set<String> listed(String what, JsonArray many, Pattern pattern) {
    Set<String> choices = new HashSet<>();
    boolean any = false;
    for (int i = 0; i < many.size(); i++) {
      Object entry = many.getValue(i);
      if (entry == null) {
        any = true;
      } else {
        choices.add(checked(what + "[" + i + "]", entry, pattern));
      }
    }
    return any ? Set.of() : choices;
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
