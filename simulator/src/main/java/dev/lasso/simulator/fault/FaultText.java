package dev.lasso.simulator.fault;

import dev.lasso.simulator.fault.Fault.Malformed;
import dev.lasso.simulator.fault.Fault.RateLimited;
import dev.lasso.simulator.time.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The text forms of faults, rules and durations. Every complaint names the word it is about. */
final class FaultText {

  private static final Pattern OPTION = Pattern.compile("(methods|on|p|count|for)=(\\S*)");

  private static final Map<String, Function<Arguments, Fault>> WORDS = new TreeMap<>();

  static {
    WORDS.put("delay", arguments -> new Fault.Delay(arguments.duration("a time such as 200ms")));
    WORDS.put("hang", _ -> new Fault.Hang());
    WORDS.put("refuse", _ -> new Fault.Refuse());
    WORDS.put("reset", _ -> new Fault.Reset());
    WORDS.put("http", FaultText::http);
    WORDS.put("rpcError", FaultText::rpcError);
    WORDS.put(
        "malformed",
        arguments -> new Malformed(arguments.oneOf(Malformed.Kind.values(), Malformed.Kind.JSON)));
    WORDS.put("truncated", _ -> new Fault.Truncated());
    WORDS.put("wrongId", _ -> new Fault.WrongId());
    WORDS.put(
        "slowBody", arguments -> new Fault.SlowBody(arguments.number("bytes per second", null)));
    WORDS.put("rateLimited", FaultText::rateLimited);
    WORDS.put(
        "wrongChain", arguments -> new Fault.WrongChain(arguments.number("a chain id", 666L)));
    WORDS.put("unsupported", _ -> new Fault.Unsupported());
    WORDS.put("nullResult", _ -> new Fault.NullResult());
    WORDS.put("dropSubscription", arguments -> new Fault.DropSubscription(arguments.flag("close")));
    WORDS.put("duplicateHeads", _ -> new Fault.DuplicateHeads());
    WORDS.put("skipHeads", _ -> new Fault.SkipHeads());
    WORDS.put("reorderHeads", _ -> new Fault.ReorderHeads());
    WORDS.put("syncing", _ -> new Fault.Syncing());
    WORDS.put("stopHeads", arguments -> new Fault.StopHeads(arguments.flag("notifications")));
    WORDS.put(
        "fork", arguments -> new Fault.Fork(Math.toIntExact(arguments.number("a depth", null))));
    WORDS.put(
        "rewind",
        arguments -> new Fault.Rewind(Math.toIntExact(arguments.number("a block count", null))));
    WORDS.put(
        "ahead",
        arguments -> new Fault.Ahead(Math.toIntExact(arguments.number("a block count", null))));
  }

  private FaultText() {}

  /** Reads a rule: the fault, which may contain spaces, then options. */
  static FaultRule rule(String text) {
    String rest = text.strip();
    Map<String, String> options = new LinkedHashMap<>();
    int space = rest.lastIndexOf(' ');
    Matcher option = OPTION.matcher(rest.substring(space + 1));
    while (space > 0 && option.matches()) {
      if (options.put(option.group(1), option.group(2)) != null) {
        throw new IllegalArgumentException("option '" + option.group(1) + "' is given twice");
      }
      rest = rest.substring(0, space).stripTrailing();
      space = rest.lastIndexOf(' ');
      option = OPTION.matcher(rest.substring(space + 1));
    }
    FaultRule rule = FaultRule.of(fault(rest));
    for (Map.Entry<String, String> entry : options.entrySet()) {
      rule = withOption(rule, entry.getKey(), entry.getValue());
    }
    return rule;
  }

  private static FaultRule withOption(FaultRule rule, String option, String value) {
    try {
      return switch (option) {
        case "methods" -> rule.methods(value);
        case "on" -> rule.on(constant(Transport.values(), value));
        case "p" -> rule.probability(Double.parseDouble(value));
        case "count" -> rule.times(Integer.parseInt(value));
        case "for" -> rule.lasting(TimeText.parse(value));
        default -> throw new IllegalStateException(option);
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "option '" + option + "' needs a number, was '" + value + "'", e);
    }
  }

  private static Fault fault(String text) {
    int colon = text.indexOf(':');
    String word = colon < 0 ? text : text.substring(0, colon);
    Function<Arguments, Fault> reader = WORDS.get(word);
    if (reader == null) {
      throw new IllegalArgumentException(unknown(word));
    }
    Arguments arguments = new Arguments(word, colon < 0 ? null : text.substring(colon + 1));
    Fault fault;
    try {
      fault = reader.apply(arguments);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("fault '" + word + "': number is too large", e);
    }
    arguments.requireNone();
    return fault;
  }

  private static String unknown(String word) {
    String nearest =
        WORDS.keySet().stream()
            .filter(known -> distance(known, word) <= 2)
            .findFirst()
            .map(known -> ", did you mean '" + known + "'?")
            .orElse(", known are " + String.join(", ", WORDS.keySet()));
    return "unknown fault '" + word + "'" + nearest;
  }

  private static Fault http(Arguments arguments) {
    int status = Math.toIntExact(arguments.number("an HTTP status", null));
    Map<String, String> headers = new LinkedHashMap<>();
    String body = null;
    while (arguments.more()) {
      String field = arguments.next();
      int equals = field.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "fault 'http': expected header=value or body=text, was '" + field + "'");
      }
      String value = field.substring(equals + 1);
      if (field.startsWith("body=")) {
        body = arguments.more() ? value + ":" + arguments.remainder() : value;
      } else {
        headers.put(field.substring(0, equals), value);
      }
    }
    return new Fault.Http(status, headers, body);
  }

  private static Fault rpcError(Arguments arguments) {
    int code = Math.toIntExact(arguments.number("an error code", null));
    if (!arguments.more()) {
      return new Fault.RpcError(code, "simulated error", null);
    }
    String message = arguments.remainder();
    int data = message.indexOf(":data=");
    return data < 0
        ? new Fault.RpcError(code, message, null)
        : new Fault.RpcError(
            code, message.substring(0, data), message.substring(data + ":data=".length()));
  }

  private static Fault rateLimited(Arguments arguments) {
    RateLimited.Form form = RateLimited.Form.SECONDS;
    Duration retryAfter = Duration.ofSeconds(1);
    while (arguments.more()) {
      String argument = arguments.next();
      if (TimeText.isTime(argument)) {
        retryAfter = TimeText.parse(argument);
      } else {
        form = constant(RateLimited.Form.values(), argument);
      }
    }
    return new RateLimited(form, retryAfter);
  }

  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Enum<E>> E constant(E[] values, String text) {
    return Stream.of(values)
        .filter(value -> lower(value).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is none of "
                        + Stream.of(values)
                            .map(FaultText::lower)
                            .collect(Collectors.joining(", "))));
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitution = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitution, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }

  /** The colon-separated arguments after a word, read from the left. */
  private static final class Arguments {
    private final String word;
    private final List<String> rest;

    Arguments(String word, @Nullable String text) {
      this.word = word;
      this.rest = new ArrayList<>(text == null ? List.of() : List.of(text.split(":", -1)));
    }

    boolean more() {
      return !rest.isEmpty();
    }

    String next() {
      return rest.removeFirst();
    }

    String remainder() {
      String text = String.join(":", rest);
      rest.clear();
      return text;
    }

    long number(String what, @Nullable Long fallback) {
      if (rest.isEmpty() && fallback != null) {
        return fallback;
      }
      String text = rest.isEmpty() ? "" : next();
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "fault '" + word + "' needs " + what + ", was '" + text + "'", e);
      }
    }

    Duration duration(String what) {
      if (rest.isEmpty()) {
        throw new IllegalArgumentException("fault '" + word + "' needs " + what);
      }
      return TimeText.parse(next());
    }

    boolean flag(String name) {
      if (rest.isEmpty()) {
        return false;
      }
      String text = next();
      if (!text.equals(name)) {
        throw new IllegalArgumentException(
            "fault '" + word + "' takes only '" + name + "', was '" + text + "'");
      }
      return true;
    }

    <E extends Enum<E>> E oneOf(E[] values, E fallback) {
      return rest.isEmpty() ? fallback : constant(values, next());
    }

    void requireNone() {
      if (!rest.isEmpty()) {
        throw new IllegalArgumentException(
            "fault '" + word + "' has too many arguments: '" + remainder() + "'");
      }
    }
  }
}
