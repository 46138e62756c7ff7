package dev.lasso.subscription;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the holders of the filters that match a log, at a cost that follows the matches and not the
 * number of filters. A filter's shape says which of address and topic positions it has conditions
 * on; among the filters of one shape it stands under the values that it allows there, under each
 * combination of them where it has lists. So a log looks at one place for each shape in use, of
 * which there are few, and finds only filters that match, each once. Filters with very long lists
 * stand under some of their conditions, and are looked at. Belongs to one thread.
 *
 * @param <H> who holds filters
 */
public final class FilterIndex<H> {
  private static final int ADDRESS = 0;
  private static final int TOPIC_0 = 1;
  private static final int CONDITIONS = 5;

  /** A filter with more combinations stands under those of its shortest lists only. */
  private static final int MAX_PLACES = 128;

  private final List<Group<H>> groups = new ArrayList<>();
  private int size;

  /**
   * What filters have in common that stand together.
   *
   * @param conditions what they stand under values of: {@link #ADDRESS}, or {@link #TOPIC_0} and
   *     the topic's position; ascending
   * @param topics how many topics a log must have
   * @param exact whether they have no other conditions
   */
  private record Shape(List<Integer> conditions, int topics, boolean exact) {}

  private record Group<H>(Shape shape, Map<List<String>, Holders<H>> places) {}

  private record Held<H>(LogFilter filter, H holder) {}

  /** The filters that stand at one place; mostly there is one. */
  private sealed interface Holders<H> {
    record One<H>(Held<H> held) implements Holders<H> {}

    record Many<H>(Set<Held<H>> held) implements Holders<H> {}
  }

  /** Adds a filter; the same filter and holder only once. */
  public void add(LogFilter filter, H holder) {
    Held<H> held = new Held<>(filter, holder);
    Shape shape = shape(filter);
    Group<H> group = group(shape);
    if (group == null) {
      group = new Group<>(shape, new HashMap<>());
      groups.add(group);
    }
    boolean added = false;
    for (List<String> place : places(filter, shape.conditions())) {
      added |= put(group.places(), place, held);
    }
    if (added) {
      size++;
    }
  }

  /** Takes a filter out again. */
  public void remove(LogFilter filter, H holder) {
    Held<H> held = new Held<>(filter, holder);
    Shape shape = shape(filter);
    Group<H> group = group(shape);
    if (group == null) {
      return;
    }
    boolean removed = false;
    for (List<String> place : places(filter, shape.conditions())) {
      removed |= take(group.places(), place, held);
    }
    if (group.places().isEmpty()) {
      groups.removeIf(each -> each.shape().equals(shape));
    }
    if (removed) {
      size--;
    }
  }

  /** Filters held. */
  public int size() {
    return size;
  }

  /** Calls back for each holder whose filter matches. */
  public void match(LogEntry log, Consumer<H> matched) {
    for (Group<H> group : groups) {
      Shape shape = group.shape();
      if (log.topics().size() >= shape.topics()) {
        switch (group.places().get(place(log, shape.conditions()))) {
          case null -> {}
          case Holders.One<H>(Held<H> held) -> match(shape, held, log, matched);
          case Holders.Many<H>(Set<Held<H>> all) -> {
            for (Held<H> held : all) {
              match(shape, held, log, matched);
            }
          }
        }
      }
    }
  }

  private static <H> void match(Shape shape, Held<H> held, LogEntry log, Consumer<H> matched) {
    if (shape.exact() || held.filter().matches(log)) {
      matched.accept(held.holder());
    }
  }

  private static List<String> place(LogEntry log, List<Integer> conditions) {
    String[] values = new String[conditions.size()];
    for (int i = 0; i < values.length; i++) {
      int condition = conditions.get(i);
      values[i] = condition == ADDRESS ? log.address() : log.topics().get(condition - TOPIC_0);
    }
    return List.of(values);
  }

  private @Nullable Group<H> group(Shape shape) {
    for (Group<H> group : groups) {
      if (group.shape().equals(shape)) {
        return group;
      }
    }
    return null;
  }

  /** The conditions whose combinations are few enough, the shortest lists first. */
  private static Shape shape(LogFilter filter) {
    List<Integer> shortestFirst =
        IntStream.range(ADDRESS, CONDITIONS)
            .boxed()
            .filter(condition -> !allowed(filter, condition).isEmpty())
            .sorted(Comparator.comparingInt(condition -> allowed(filter, condition).size()))
            .toList();
    List<Integer> taken = new ArrayList<>();
    int combinations = 1;
    for (int condition : shortestFirst) {
      int choices = allowed(filter, condition).size();
      if (taken.isEmpty() || (long) combinations * choices <= MAX_PLACES) {
        combinations *= choices;
        taken.add(condition);
      }
    }
    return new Shape(
        taken.stream().sorted().toList(),
        filter.topics().size(),
        taken.size() == shortestFirst.size());
  }

  private static Set<String> allowed(LogFilter filter, int condition) {
    if (condition == ADDRESS) {
      return filter.addresses();
    }
    int position = condition - TOPIC_0;
    return position < filter.topics().size() ? filter.topics().get(position) : Set.of();
  }

  private static List<List<String>> places(LogFilter filter, List<Integer> conditions) {
    List<List<String>> places = List.of(List.of());
    for (int condition : conditions) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> place : places) {
        for (String value : allowed(filter, condition)) {
          List<String> values = new ArrayList<>(place);
          values.add(value);
          longer.add(List.copyOf(values));
        }
      }
      places = longer;
    }
    return places;
  }

  private static <H> boolean put(
      Map<List<String>, Holders<H>> places, List<String> place, Held<H> added) {
    return switch (places.get(place)) {
      case null -> {
        places.put(place, new Holders.One<>(added));
        yield true;
      }
      case Holders.One<H>(Held<H> held) when held.equals(added) -> false;
      case Holders.One<H>(Held<H> held) -> {
        Set<Held<H>> both = new LinkedHashSet<>();
        both.add(held);
        both.add(added);
        places.put(place, new Holders.Many<>(both));
        yield true;
      }
      case Holders.Many<H>(Set<Held<H>> held) -> held.add(added);
    };
  }

  private static <H> boolean take(
      Map<List<String>, Holders<H>> places, List<String> place, Held<H> removed) {
    return switch (places.get(place)) {
      case null -> false;
      case Holders.One<H>(Held<H> held) -> {
        boolean there = held.equals(removed);
        if (there) {
          places.remove(place);
        }
        yield there;
      }
      case Holders.Many<H>(Set<Held<H>> held) -> {
        boolean there = held.remove(removed);
        if (held.isEmpty()) {
          places.remove(place);
        }
        yield there;
      }
    };
  }
}
