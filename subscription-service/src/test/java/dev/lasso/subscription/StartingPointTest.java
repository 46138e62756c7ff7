package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.subscription.StreamEvent.Added;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StartingPointTest {
  private static final ChainId CHAIN = ChainId.of(1);
  private static final long FOUND_MS = 1_000_000;
  private static final long LATER_MS = FOUND_MS + StartingPoint.SURELY_AFTER_MS + 1;
  private static final StartingPoint POINT = new StartingPoint(100, TestChain.hash(100), FOUND_MS);

  private static Added added(int number, long writtenMs) {
    return new Added(
        CHAIN, number, number, writtenMs, number, TestChain.hash(number), Bytes.EMPTY, List.of());
  }

  @Test
  void whatIsHigherCameAfterIt() {
    assertThat(POINT.isBefore(added(99, FOUND_MS))).isFalse();
    assertThat(POINT.isBefore(added(100, FOUND_MS))).isFalse();
    assertThat(POINT.isBefore(added(101, FOUND_MS))).isTrue();
  }

  @Test
  void whatIsWrittenMuchLaterCameAfterItHoweverHighThatClaimedToBe() {
    assertThat(POINT.isBefore(added(99, LATER_MS - 1))).isFalse();
    assertThat(POINT.isBefore(added(99, LATER_MS))).isTrue();
    assertThat(POINT.isBefore(added(100, LATER_MS))).isFalse();
  }

  @Test
  void aStreamThatGoesOnIsPastAClaimNobodyElseMade() {
    RecentEvents recent = new RecentEvents(10, Long.MAX_VALUE);
    recent.keep(added(98, FOUND_MS));
    assertThat(recent.isPast(POINT)).isFalse();
    recent.keep(added(99, LATER_MS));
    assertThat(recent.isPast(POINT)).isTrue();
  }

  @Test
  void aFilterThatBeganAtSuchAClaimTellsWhatIsWrittenMuchLater() {
    ChainTail tail =
        new ChainTail(
            FilterSettings.from(SettingCatalogue.of(List.of(FilterSettings.GROUP)).read(Map.of())));
    ClientFilter filter =
        new ClientFilter(
            "0x1",
            ProfileSlug.of("default"),
            CHAIN,
            ClientFilter.Kind.BLOCKS,
            "",
            "client",
            97,
            new ClientFilter.Start(POINT.number(), POINT.hash()),
            97,
            FOUND_MS,
            FOUND_MS,
            "process",
            "",
            false);
    tail.on(added(98, FOUND_MS));
    tail.on(added(99, LATER_MS));
    ChainTail.News news = Objects.requireNonNull(tail.news(filter, filter.cursor()));
    assertThat(news.start()).isNull();
    assertThat(news.since()).isEqualTo(98);
  }
}
