package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.ClientFilter;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filters live for 100 ms, and the topic is read since 0. */
class FilterExpiryTest {
  private final FilterExpiry expiry = new FilterExpiry(Duration.ofMillis(100), "here", 0);

  @BeforeEach
  void theTopicIsRead() {
    expiry.topic(true, 0);
  }

  private static ClientFilter used(long atMs, String process) {
    return new ClientFilter(
        "filter",
        ProfileSlug.of("default"),
        ChainId.of(1),
        ClientFilter.Kind.BLOCKS,
        "",
        "somebody",
        7,
        null,
        7,
        0,
        atMs,
        process,
        "",
        false);
  }

  @Test
  void aFilterThatNobodyPollsIsOver() {
    assertThat(expiry.isOver(used(1_000, "here"), 1_100)).isFalse();
    assertThat(expiry.isOver(used(1_000, "here"), 1_101)).isTrue();
  }

  @Test
  void whoWroteOfItLastEndsItBeforeTheOthers() {
    assertThat(expiry.isToBeEnded(used(1_000, "here"), 1_200)).isFalse();
    assertThat(expiry.isToBeEnded(used(1_000, "here"), 1_201)).isTrue();
    assertThat(expiry.isToBeEnded(used(1_000, "there"), 1_300)).isFalse();
    assertThat(expiry.isToBeEnded(used(1_000, "there"), 1_301)).isTrue();
  }

  @Test
  void aPollHereCountsThoughTheTopicDoesNotTellOfIt() {
    expiry.polled("filter", 1_290);
    expiry.polled("filter", 1_250);
    assertThat(expiry.isOver(used(1_000, "there"), 1_390)).isFalse();
    assertThat(expiry.isToBeEnded(used(1_000, "there"), 1_590)).isFalse();
    assertThat(expiry.isOver(used(1_000, "there"), 1_391)).isTrue();
  }

  @Test
  void nothingIsOverWhileTheTopicCanNotBeRead() {
    expiry.topic(false, 1_050);
    assertThat(expiry.isOver(used(1_000, "here"), 9_000)).isFalse();
    assertThat(expiry.isToBeEnded(used(1_000, "here"), 9_000)).isFalse();
  }

  @Test
  void nothingIsOverUntilPollersWereHeardOfAgain() {
    expiry.topic(false, 5_000);
    expiry.topic(true, 5_001);
    assertThat(expiry.isOver(used(1_000, "there"), 5_100)).isFalse();
    assertThat(expiry.isToBeEnded(used(1_000, "there"), 5_100)).isFalse();
    assertThat(expiry.isOver(used(1_000, "there"), 5_101)).isTrue();
    assertThat(expiry.isToBeEnded(used(1_000, "there"), 5_101)).isTrue();
    assertThat(expiry.isOver(used(5_050, "there"), 5_101)).isFalse();
  }

  @Test
  void aProcessThatHasJustBegunToReadKnowsOfNobody() {
    FilterExpiry begun = new FilterExpiry(Duration.ofMillis(100), "here", 5_000);
    assertThat(begun.isOver(used(1_000, "there"), 5_200)).isFalse();
    begun.topic(true, 5_010);
    assertThat(begun.isOver(used(1_000, "there"), 5_100)).isFalse();
    assertThat(begun.isOver(used(1_000, "there"), 5_101)).isTrue();
  }

  @Test
  void anEndIsWrittenOnceAndAgainOnlyWhereItIsNotHeardOf() {
    ClientFilter filter = used(1_000, "here");
    expiry.ended("filter", 1_201);
    assertThat(expiry.isToBeEnded(filter, 1_301)).isFalse();
    assertThat(expiry.isToBeEnded(filter, 1_302)).isTrue();

    expiry.ended("filter", 1_302);
    expiry.keep(Set.of("filter"));
    assertThat(expiry.isToBeEnded(filter, 1_303)).isFalse();
    expiry.keep(Set.of());
    assertThat(expiry.isToBeEnded(filter, 1_303)).isTrue();
  }
}
