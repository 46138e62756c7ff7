package dev.lasso.blocksync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.UpstreamUrl;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class PollScheduleTest {
  private static final long INTERVAL_MS = 2_000;
  private static final HeadTarget A = target("a");
  private static final HeadTarget B = target("b");
  private static final Predicate<InstanceId> NONE_COVERED = Set.<InstanceId>of()::contains;
  private static final Predicate<InstanceId> ALL_COVERED = NONE_COVERED.negate();

  private final PollSchedule schedule = new PollSchedule(new SplittableRandom(7), polls(10));

  private static PollPolicy polls(int mostUnderWay) {
    return new PollPolicy(
        mostUnderWay, PollPolicy.DEFAULT.coveredFactor(), PollPolicy.DEFAULT.longestBackoffMs());
  }

  @Test
  void beginsWithEveryInstanceWithinASecondButNotWithAllAtOnce() {
    List<HeadTarget> many =
        java.util.stream.IntStream.range(0, 8).mapToObj(i -> target("n" + i)).toList();
    assertThat(schedule.due(many, NONE_COVERED, 0)).hasSizeLessThan(8);
    schedule.due(many, NONE_COVERED, 500);
    schedule.due(many, NONE_COVERED, 1_000);

    many.forEach(target -> schedule.ended(target.instance(), true));
    assertThat(schedule.due(many, NONE_COVERED, 3_300)).hasSize(8);
  }

  @Test
  void asksAnInstanceOnceAtATime() {
    first(A, 0);

    assertThat(schedule.due(List.of(A), NONE_COVERED, 60_000)).isEmpty();
  }

  @Test
  void comesBackAfterItsIntervalGiveOrTakeATenth() {
    long startedMs = first(A, 0);
    schedule.ended(A.instance(), true);

    assertThat(schedule.due(List.of(A), NONE_COVERED, startedMs + 1_799)).isEmpty();
    assertThat(schedule.due(List.of(A), NONE_COVERED, startedMs + 2_201)).containsExactly(A);
  }

  @Test
  void isThreeTimesSlowerWhileAStreamCoversItAndAtOnceBackWhenItDoesNot() {
    long startedMs = first(A, 0);
    schedule.ended(A.instance(), true);

    assertThat(schedule.due(List.of(A), ALL_COVERED, startedMs + 5_399)).isEmpty();
    assertThat(schedule.due(List.of(A), NONE_COVERED, startedMs + 5_399)).containsExactly(A);
    schedule.ended(A.instance(), true);
    assertThat(schedule.due(List.of(A), ALL_COVERED, startedMs + 5_399 + 6_601)).containsExactly(A);
  }

  @Test
  void oneFailureChangesNothingMoreOfThemWaitLongerButNeverOverAQuarterOfAMinute() {
    long startedMs = first(A, 0);
    schedule.ended(A.instance(), false);
    startedMs += 2_201;
    assertThat(schedule.due(List.of(A), ALL_COVERED, startedMs)).containsExactly(A);
    schedule.ended(A.instance(), false);
    assertThat(schedule.due(List.of(A), NONE_COVERED, startedMs + 3_599)).isEmpty();
    startedMs += 4_401;
    assertThat(schedule.due(List.of(A), NONE_COVERED, startedMs)).containsExactly(A);
    for (int i = 0; i < 50; i++) {
      schedule.ended(A.instance(), false);
      startedMs += 16_501;
      assertThat(schedule.due(List.of(A), NONE_COVERED, startedMs)).containsExactly(A);
    }

    schedule.ended(A.instance(), true);
    assertThat(schedule.due(List.of(A), NONE_COVERED, startedMs + 2_201)).containsExactly(A);
  }

  @Test
  void takesTheLongestOverdueFirstAndNoMoreThanMayBeUnderWay() {
    PollSchedule narrow = new PollSchedule(new SplittableRandom(7), polls(1));
    narrow.due(List.of(A), NONE_COVERED, 0);
    assertThat(narrow.due(List.of(B, A), NONE_COVERED, 1_000)).containsExactly(A);
    assertThat(narrow.due(List.of(B, A), NONE_COVERED, 9_000)).isEmpty();

    narrow.ended(A.instance(), true);

    assertThat(narrow.due(List.of(A, B), NONE_COVERED, 9_000)).containsExactly(B);
  }

  @Test
  void forgetsWhatIsPolledNoMore() {
    PollSchedule narrow = new PollSchedule(new SplittableRandom(7), polls(1));
    narrow.due(List.of(A), NONE_COVERED, 0);
    narrow.due(List.of(A), NONE_COVERED, 1_000);
    narrow.keep(Set.of());
    narrow.ended(A.instance(), true);
    narrow.due(List.of(B), NONE_COVERED, 2_000);

    assertThat(narrow.due(List.of(B), NONE_COVERED, 3_000)).containsExactly(B);
  }

  /** Polls a new target for the first time; when that was. */
  private long first(HeadTarget target, long nowMs) {
    schedule.due(List.of(target), NONE_COVERED, nowMs);
    long startedMs = nowMs + 1_000;
    if (schedule.due(List.of(target), NONE_COVERED, startedMs).isEmpty()) {
      return nowMs;
    }
    return startedMs;
  }

  private static HeadTarget target(String name) {
    ProviderEndpoint upstream =
        new ProviderEndpoint(
            ProviderId.of(name),
            InstanceId.of(name),
            UpstreamUrl.parse(Transport.HTTP, "http://localhost:1"),
            null,
            Map.of());
    return new HeadTarget(ChainId.of(1), upstream, INTERVAL_MS, false, 42_000);
  }
}
