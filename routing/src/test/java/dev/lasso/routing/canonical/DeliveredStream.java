package dev.lasso.routing.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** What a subscriber has been told, checked as it comes. */
final class DeliveredStream {
  private final List<HeadBlock> standing = new ArrayList<>();
  private int skips;

  void take(HeadEvent event) {
    switch (event) {
      case HeadEvent.Added(HeadBlock block) -> {
        if (!standing.isEmpty()) {
          assertThat(block.childOf(standing.getLast())).as("%s after %s", block, standing).isTrue();
        }
        standing.add(block);
      }
      case HeadEvent.Removed(HeadBlock block) -> {
        assertThat(standing.getLast()).isEqualTo(block);
        standing.removeLast();
      }
      case HeadEvent.Skipped(long from, long to) -> {
        assertThat(from).isEqualTo(standing.getLast().number() + 1);
        assertThat(to).isGreaterThanOrEqualTo(from);
        standing.clear();
        skips++;
      }
      case HeadEvent.Kept _, HeadEvent.Forgotten _ -> {}
    }
  }

  List<HeadBlock> standing() {
    return standing;
  }

  int skips() {
    return skips;
  }
}
