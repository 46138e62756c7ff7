package dev.lasso.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.UpstreamUrl;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProbeScheduleTest {
  private static final ProbeTarget A = target("a");
  private static final ProbeTarget B = target("b");

  private static final long TICK_MS = 200;

  private final ProbeSchedule schedule = new ProbeSchedule(new SplittableRandom(1), 1_000);

  @Test
  void probesEveryNewEndpointAtOnceAndNoneTwiceAtATime() {
    assertThat(next(List.of(A, B), _ -> true, 1_000)).isEqualTo(A);
    assertThat(next(List.of(A, B), _ -> true, 1_200)).isEqualTo(B);
    assertThat(next(List.of(A, B), _ -> true, 1_400)).isNull();
  }

  @Test
  void aWellEndpointWaitsForItsInterval() {
    next(List.of(A), _ -> true, 1_000);
    schedule.ended(A, true, 1_000);

    assertThat(next(List.of(A), _ -> true, 1_000 + 10_799)).isNull();
    assertThat(next(List.of(A), _ -> true, 1_000 + 12_000)).isEqualTo(A);
  }

  @Test
  void aFailingEndpointFollowsTheBackoffTable() {
    fail(A, 1_000);
    assertThat(next(List.of(A), _ -> true, 1_001)).as("after one failure").isEqualTo(A);
    schedule.ended(A, false, 1_001);
    assertThat(next(List.of(A), _ -> true, 1_001 + 1_700)).isNull();
    assertThat(next(List.of(A), _ -> true, 1_001 + 2_200)).isEqualTo(A);
  }

  @Test
  void anEndpointWhoseCircuitIsNotClosedIsLookedAtEverySecond() {
    next(List.of(A), _ -> true, 1_000);
    schedule.ended(A, true, 1_000);

    assertThat(next(List.of(A), _ -> false, 1_900)).isNull();
    assertThat(next(List.of(A), _ -> false, 2_000)).isEqualTo(A);
  }

  @Test
  void theLongestOverdueComesFirst() {
    fail(A, 1_000);
    fail(B, 2_000);

    assertThat(next(List.of(B, A), _ -> true, 3_000)).isEqualTo(A);
  }

  @Test
  void forgetsWhatIsProbedNoMore() {
    next(List.of(A), _ -> true, 1_000);
    schedule.keep(Set.of());
    schedule.ended(A, true, 1_100);

    assertThat(next(List.of(A), _ -> true, 1_200)).isEqualTo(A);
  }

  @Test
  void asManyAreBegunAtATimeAsKeepAllOfThemAtTheirIntervals() {
    List<ProbeTarget> many =
        IntStream.range(0, 600).mapToObj(i -> target("endpoint-" + i)).toList();
    Map<ProbeTarget, Long> lastMs = new HashMap<>();
    long longestMs = 0;
    int most = 0;
    for (long nowMs = 0; nowMs < 60_000; nowMs += TICK_MS) {
      List<ProbeTarget> due = schedule.due(many, _ -> true, nowMs, TICK_MS);
      most = Math.max(most, due.size());
      for (ProbeTarget target : due) {
        Long beforeMs = lastMs.put(target, nowMs);
        longestMs = Math.max(longestMs, nowMs - (beforeMs == null ? 0 : beforeMs));
        schedule.ended(target, true, nowMs);
      }
    }
    assertThat(lastMs).hasSize(600);
    assertThat(most).as("600 endpoints each 10.8 s, 200 ms a time").isEqualTo(12);
    assertThat(longestMs).isLessThanOrEqualTo(12_000 + TICK_MS);
  }

  private @Nullable ProbeTarget next(
      List<ProbeTarget> targets, Predicate<Endpoint> circuitClosed, long nowMs) {
    List<ProbeTarget> due = schedule.due(targets, circuitClosed, nowMs, TICK_MS);
    assertThat(due).hasSizeLessThanOrEqualTo(1);
    return due.isEmpty() ? null : due.getFirst();
  }

  private void fail(ProbeTarget target, long atMs) {
    assertThat(next(List.of(target), _ -> true, atMs)).isEqualTo(target);
    schedule.ended(target, false, atMs);
  }

  private static ProbeTarget target(String name) {
    InstanceId instance = InstanceId.of(name);
    ProviderEndpoint upstream =
        new ProviderEndpoint(
            ProviderId.of(name),
            instance,
            UpstreamUrl.parse(Transport.HTTP, "http://localhost:1"),
            null,
            Map.of());
    return new ProbeTarget(new Endpoint(instance, Transport.HTTP), ChainId.of(1), upstream, 12_000);
  }
}
