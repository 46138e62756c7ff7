package dev.lasso.runtime.settings;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The declaration of one environment variable: name, type, default, unit and meaning. A module
 * declares its settings as constants and lists them; a {@link SettingCatalogue} reads them and
 * prints the reference page. Immutable.
 *
 * @param <T> type of the value
 */
public final class Setting<T> {
  private static final Pattern NAME = Pattern.compile("[A-Z][A-Z0-9]*(_[A-Z0-9]+)*");
  private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d)?");

  private final String name;
  private final String expectation;
  private final String defaultText;
  private final T defaultValue;
  private final String unit;
  private final String meaning;
  private final boolean secret;
  private final Function<String, T> parser;
  private final Function<T, String> printer;

  private Setting(
      String name,
      String expectation,
      String defaultText,
      String unit,
      String meaning,
      boolean secret,
      Function<String, T> parser,
      Function<T, String> printer) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("a setting is named like LASSO_PORT, was " + name);
    }
    this.name = name;
    this.expectation = expectation;
    this.defaultText = defaultText;
    this.unit = unit;
    this.meaning = meaning;
    this.secret = secret;
    this.parser = parser;
    this.printer = printer;
    this.defaultValue = parser.apply(defaultText);
  }

  /** A whole number from {@code min} to {@code max}. */
  public static Setting<Integer> integer(
      String name, int defaultValue, int min, int max, String unit, String meaning) {
    return new Setting<>(
        name,
        "a whole number from " + min + " to " + max,
        Integer.toString(defaultValue),
        unit,
        meaning,
        false,
        text -> (int) inRange(Long.parseLong(text), min, max),
        String::valueOf);
  }

  /** A number of bytes or of anything else that may exceed 2^31. */
  public static Setting<Long> longInteger(
      String name, long defaultValue, long min, long max, String unit, String meaning) {
    return new Setting<>(
        name,
        "a whole number from " + min + " to " + max,
        Long.toString(defaultValue),
        unit,
        meaning,
        false,
        text -> inRange(Long.parseLong(text), min, max),
        String::valueOf);
  }

  /** A finite decimal number from {@code min} to {@code max}. */
  public static Setting<Double> decimal(
      String name, double defaultValue, double min, double max, String unit, String meaning) {
    return new Setting<>(
        name,
        "a number from " + min + " to " + max,
        Double.toString(defaultValue),
        unit,
        meaning,
        false,
        text -> {
          double value = Double.parseDouble(text);
          if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException("out of range");
          }
          return value;
        },
        String::valueOf);
  }

  /**
   * A duration from {@code min} to {@code max}: a number with ms, s, m, h or d; a bare number
   * counts milliseconds.
   */
  public static Setting<Duration> duration(
      String name, Duration defaultValue, Duration min, Duration max, String meaning) {
    return new Setting<>(
        name,
        "a duration from " + written(min) + " to " + written(max),
        written(defaultValue),
        "duration",
        meaning,
        false,
        text -> {
          Duration value = parseDuration(text);
          if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException("out of range");
          }
          return value;
        },
        Setting::written);
  }

  /** {@code true} or {@code false}. */
  public static Setting<Boolean> flag(String name, boolean defaultValue, String meaning) {
    return new Setting<>(
        name,
        "true or false",
        Boolean.toString(defaultValue),
        "",
        meaning,
        false,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("neither true nor false");
            },
        String::valueOf);
  }

  /** One of the constants of an enum, written in lower case. */
  public static <E extends Enum<E>> Setting<E> choice(String name, E defaultValue, String meaning) {
    E[] constants = defaultValue.getDeclaringClass().getEnumConstants();
    return new Setting<>(
        name,
        "one of " + Arrays.stream(constants).map(Setting::lower).collect(Collectors.joining(", ")),
        lower(defaultValue),
        "",
        meaning,
        false,
        text ->
            Arrays.stream(constants)
                .filter(constant -> lower(constant).equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such choice")),
        Setting::lower);
  }

  /** Any text; empty means not set. */
  public static Setting<String> text(String name, String defaultValue, String meaning) {
    return parsed(name, "text", defaultValue, meaning, Function.identity());
  }

  /**
   * A text with a form of its own.
   *
   * @param expectation what a valid value looks like, to follow "expected"
   * @param parser throws {@link IllegalArgumentException} when a text is not of that form
   */
  public static <T> Setting<T> parsed(
      String name,
      String expectation,
      String defaultText,
      String meaning,
      Function<String, T> parser) {
    return new Setting<>(
        name, expectation, defaultText, "", meaning, false, parser, String::valueOf);
  }

  /** A text that must never be printed. It has no default; empty means not set. */
  public static Setting<String> secret(String name, String meaning) {
    return new Setting<>(name, "a secret", "", "", meaning, true, Function.identity(), _ -> "***");
  }

  /** The environment variable. */
  public String name() {
    return name;
  }

  /** What a valid value looks like, to follow "expected". */
  public String expectation() {
    return expectation;
  }

  /** The default as one would write it in the environment. */
  public String defaultText() {
    return defaultText;
  }

  /** The value when the variable is not set. */
  public T defaultValue() {
    return defaultValue;
  }

  /** What the number counts; empty where the type says it all. */
  public String unit() {
    return unit;
  }

  /** What the setting does, in one sentence. */
  public String meaning() {
    return meaning;
  }

  /** Whether the value must not appear anywhere. */
  public boolean isSecret() {
    return secret;
  }

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException when it is not what {@link #expectation} says
   */
  T parse(String written) {
    return parser.apply(written.strip());
  }

  /** A value as one would write it, a secret as stars. */
  String text(T value) {
    return printer.apply(value);
  }

  @Override
  public String toString() {
    return name;
  }

  private static long inRange(long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("out of range");
    }
    return value;
  }

  private static Duration parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a duration");
    }
    long amount = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2);
    try {
      return switch (unit) {
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        case "d" -> Duration.ofDays(amount);
        case null, default -> Duration.ofMillis(amount);
      };
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("longer than anything", e);
    }
  }

  private static String written(Duration duration) {
    long ms = duration.toMillis();
    if (ms == 0 || ms % 1_000 != 0) {
      return ms + "ms";
    }
    if (ms % 86_400_000 == 0) {
      return ms / 86_400_000 + "d";
    }
    if (ms % 3_600_000 == 0) {
      return ms / 3_600_000 + "h";
    }
    return ms % 60_000 == 0 ? ms / 60_000 + "m" : ms / 1_000 + "s";
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
