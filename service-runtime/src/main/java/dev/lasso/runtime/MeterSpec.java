package dev.lasso.runtime;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The declaration of a meter: a module declares its meters as constants and lists them, and makes
 * them from the declaration, so that the reference page can't differ from what is measured.
 * Immutable.
 *
 * @param kind what it is
 * @param name with dots, as Micrometer has it
 * @param unit of a gauge; empty for a plain number
 * @param meaning in a phrase
 * @param tags keys; values come from closed sets, never from a caller
 * @param buckets of a timer's histogram
 */
public record MeterSpec(
    Kind kind,
    String name,
    String unit,
    String meaning,
    List<String> tags,
    List<Duration> buckets) {
  /** What a meter is. */
  public enum Kind {
    COUNTER,
    GAUGE,
    TIMER
  }

  public MeterSpec {
    tags = List.copyOf(tags);
    buckets = List.copyOf(buckets);
  }

  /** A number that only grows. */
  public static MeterSpec counter(String name, String meaning, String... tags) {
    return new MeterSpec(Kind.COUNTER, name, "", meaning, List.of(tags), List.of());
  }

  /** A number as it stands. */
  public static MeterSpec gauge(String name, String unit, String meaning, String... tags) {
    return new MeterSpec(Kind.GAUGE, name, unit, meaning, List.of(tags), List.of());
  }

  /** Durations with a histogram. */
  public static MeterSpec timer(
      String name, String meaning, List<Duration> buckets, String... tags) {
    return new MeterSpec(Kind.TIMER, name, "seconds", meaning, List.of(tags), buckets);
  }

  /** The counter of one series; the values are those of the tags, in order. */
  public Counter counter(MeterRegistry registry, String... values) {
    return Counter.builder(name)
        .description(meaning)
        .tags(tagged(Kind.COUNTER, values))
        .register(registry);
  }

  /** The timer of one series; the values are those of the tags, in order. */
  public Timer timer(MeterRegistry registry, String... values) {
    return Timer.builder(name)
        .description(meaning)
        .tags(tagged(Kind.TIMER, values))
        .serviceLevelObjectives(buckets.toArray(Duration[]::new))
        .register(registry);
  }

  /** Registers the gauge of one series; the values are those of the tags, in order. */
  public <T> void gauge(
      MeterRegistry registry, T source, ToDoubleFunction<T> value, String... values) {
    Gauge.builder(name, source, value)
        .description(meaning)
        .baseUnit(unit.isEmpty() ? null : unit)
        .tags(tagged(Kind.GAUGE, values))
        .register(registry);
  }

  /**
   * The name in Prometheus; a timer's has {@code _count}, {@code _sum}, {@code _bucket} or {@code
   * _max} behind.
   */
  public String prometheusName() {
    String plain = name.replace('.', '_');
    return switch (kind) {
      case COUNTER -> plain + "_total";
      case GAUGE -> unit.isEmpty() || plain.endsWith("_" + unit) ? plain : plain + "_" + unit;
      case TIMER -> plain + "_seconds";
    };
  }

  private Tags tagged(Kind asked, String... values) {
    if (asked != kind || values.length != tags.size()) {
      throw new IllegalArgumentException(name + " is a " + kind + " with tags " + tags);
    }
    List<Tag> pairs = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      pairs.add(Tag.of(tags.get(i), values[i]));
    }
    return Tags.of(pairs);
  }
}
