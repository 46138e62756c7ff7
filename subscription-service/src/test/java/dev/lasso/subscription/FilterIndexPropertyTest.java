package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The index finds what looking at every filter finds. */
class FilterIndexPropertyTest {
  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void findsExactlyTheHoldersOfMatchingFilters(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FilterIndex<Integer> index = new FilterIndex<>();
    Map<Integer, LogFilter> held = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      if (!held.isEmpty() && random.nextInt(4) == 0) {
        int gone = List.copyOf(held.keySet()).get(random.nextInt(held.size()));
        index.remove(Objects.requireNonNull(held.remove(gone)), gone);
      } else {
        LogFilter filter = filter(random);
        held.put(i, filter);
        index.add(filter, i);
      }
      LogEntry log = log(random);
      List<Integer> found = new ArrayList<>();
      index.match(log, found::add);

      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              held.entrySet().stream()
                  .filter(entry -> entry.getValue().matches(log))
                  .map(Map.Entry::getKey)
                  .toList());
      assertThat(index.size()).isEqualTo(held.size());
    }
    held.forEach((key, filter) -> index.remove(filter, key));
    assertThat(index.size()).isZero();
  }

  private static LogFilter filter(SplittableRandom random) {
    List<Set<String>> topics = new ArrayList<>();
    for (int position = random.nextInt(5); position > 0; position--) {
      topics.add(some(random, "t"));
    }
    return new LogFilter(some(random, "a"), topics);
  }

  private static Set<String> some(SplittableRandom random, String prefix) {
    Set<String> values = new HashSet<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      values.add(prefix + random.nextInt(4));
    }
    return values;
  }

  private static LogEntry log(SplittableRandom random) {
    List<String> topics = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      topics.add("t" + random.nextInt(4));
    }
    return new LogEntry("a" + random.nextInt(4), topics, Bytes.EMPTY);
  }
}
