package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FilterIndexTest {
  private final FilterIndex<String> index = new FilterIndex<>();

  @Test
  void longListsMatchLikeShortOnes() {
    LogFilter filter =
        new LogFilter(
            many("a", 1_024), List.of(many("t", 1_024), Set.of(), many("u", 1_024), Set.of("v")));
    index.add(filter, "holder");

    assertThat(found(log("a1023", "t0", "x", "u7", "v"))).containsExactly("holder");
    assertThat(found(log("a1024", "t0", "x", "u7", "v"))).isEmpty();
    assertThat(found(log("a0", "t1024", "x", "u7", "v"))).isEmpty();
    assertThat(found(log("a0", "t0", "x", "u1024", "v"))).isEmpty();
    assertThat(found(log("a0", "t0", "x", "u7", "w"))).isEmpty();
    index.remove(filter, "holder");
    assertThat(index.size()).isZero();
    assertThat(found(log("a1023", "t0", "x", "u7", "v"))).isEmpty();
  }

  @Test
  void aTopicThatMayBeAnythingMustBeThere() {
    index.add(new LogFilter(Set.of(), List.of(Set.of("t"), Set.of())), "two");
    index.add(new LogFilter(Set.of(), List.of(Set.of("t"))), "one");

    assertThat(found(log("a", "t"))).containsExactly("one");
    assertThat(found(log("a", "t", "u"))).containsExactlyInAnyOrder("one", "two");
  }

  private static Set<String> many(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> prefix + number)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static LogEntry log(String address, String... topics) {
    return new LogEntry(address, List.of(topics), Bytes.EMPTY);
  }

  private List<String> found(LogEntry log) {
    List<String> holders = new ArrayList<>();
    index.match(log, holders::add);
    return holders;
  }
}
