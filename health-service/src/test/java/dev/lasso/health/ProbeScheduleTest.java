package dev.lasso.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.UpstreamUrl;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProbeScheduleTest {
  private static final ProbeTarget A = target("a");
  private static final ProbeTarget B = target("b");

  private final ProbeSchedule schedule = new ProbeSchedule(new SplittableRandom(1), 1_000);

  @Test
  void probesEveryNewEndpointAtOnceAndNoneTwiceAtATime() {
    assertThat(schedule.next(List.of(A, B), _ -> true, 1_000)).isEqualTo(A);
    assertThat(schedule.next(List.of(A, B), _ -> true, 1_200)).isEqualTo(B);
    assertThat(schedule.next(List.of(A, B), _ -> true, 1_400)).isNull();
  }

  @Test
  void aWellEndpointWaitsForItsInterval() {
    schedule.next(List.of(A), _ -> true, 1_000);
    schedule.ended(A, true, 1_000);

    assertThat(schedule.next(List.of(A), _ -> true, 1_000 + 10_799)).isNull();
    assertThat(schedule.next(List.of(A), _ -> true, 1_000 + 12_000)).isEqualTo(A);
  }

  @Test
  void aFailingEndpointFollowsTheBackoffTable() {
    fail(A, 1_000);
    assertThat(schedule.next(List.of(A), _ -> true, 1_001)).as("after one failure").isEqualTo(A);
    schedule.ended(A, false, 1_001);
    assertThat(schedule.next(List.of(A), _ -> true, 1_001 + 1_700)).isNull();
    assertThat(schedule.next(List.of(A), _ -> true, 1_001 + 2_200)).isEqualTo(A);
  }

  @Test
  void anEndpointWhoseCircuitIsNotClosedIsLookedAtEverySecond() {
    schedule.next(List.of(A), _ -> true, 1_000);
    schedule.ended(A, true, 1_000);

    assertThat(schedule.next(List.of(A), _ -> false, 1_900)).isNull();
    assertThat(schedule.next(List.of(A), _ -> false, 2_000)).isEqualTo(A);
  }

  @Test
  void theLongestOverdueComesFirst() {
    fail(A, 1_000);
    fail(B, 2_000);

    assertThat(schedule.next(List.of(B, A), _ -> true, 3_000)).isEqualTo(A);
  }

  @Test
  void forgetsWhatIsProbedNoMore() {
    schedule.next(List.of(A), _ -> true, 1_000);
    schedule.keep(Set.of());
    schedule.ended(A, true, 1_100);

    assertThat(schedule.next(List.of(A), _ -> true, 1_200)).isEqualTo(A);
  }

  private void fail(ProbeTarget target, long atMs) {
    assertThat(schedule.next(List.of(target), _ -> true, atMs)).isEqualTo(target);
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
