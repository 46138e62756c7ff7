package dev.lasso.engine.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ClientLimitsTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final ClientLimits limits = new ClientLimits(1_000);

  private static final ChainProfile CHAIN =
      ChainProfile.of(
          ChainId.of(1),
          ChainName.of("ethereum"),
          List.of(Provider.of(ProviderId.of("u1"), "http://u1.example")));

  private static Profile profile(String slug, int perSecond, int burst) {
    return new Profile(ProfileSlug.of(slug), slug, perSecond, burst, List.of(CHAIN));
  }

  private static final Profile TEN = profile("ten", 10, 20);

  @Test
  void aBurstPassesAndThenTheRate() {
    for (int i = 0; i < 20; i++) {
      assertThat(limits.take(TEN, "c", 1, 0)).as("call %d", i).isZero();
    }
    assertThat(limits.take(TEN, "c", 1, 0)).isEqualTo(100);
    assertThat(limits.take(TEN, "c", 1, SECOND_NS / 20)).isEqualTo(50);
    int passed = 0;
    for (long ms = 1; ms <= 10_000; ms++) {
      passed += limits.take(TEN, "c", 1, ms * 1_000_000) == 0 ? 1 : 0;
    }
    assertThat(passed).isEqualTo(100);
  }

  @Test
  void theWaitToldIsTheWaitNeeded() {
    limits.take(TEN, "c", 20, 0);
    long waitMs = limits.take(TEN, "c", 5, 0);
    assertThat(waitMs).isEqualTo(500);
    assertThat(limits.take(TEN, "c", 5, (waitMs - 1) * 1_000_000)).isEqualTo(1);
    assertThat(limits.take(TEN, "c", 5, waitMs * 1_000_000)).isZero();
  }

  @Test
  void itemsOfABatchCountEachAndOneLargerThanTheBurstPassesAlone() {
    assertThat(limits.take(TEN, "c", 15, 0)).isZero();
    assertThat(limits.take(TEN, "c", 6, 0)).isPositive();
    assertThat(limits.take(TEN, "c", 5, 0)).isZero();
    assertThat(limits.take(TEN, "d", 50, 0)).isZero();
    assertThat(limits.take(TEN, "d", 1, 0)).isEqualTo(3_100);
  }

  @Test
  void clientsAndProfilesDoNotShare() {
    limits.take(TEN, "c", 20, 0);
    assertThat(limits.take(TEN, "d", 20, 0)).isZero();
    assertThat(limits.take(profile("other", 10, 20), "c", 20, 0)).isZero();
  }

  @Test
  void withoutALimitEverythingPasses() {
    Profile free = profile("free", 0, 0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(limits.take(free, "c", 50, 0)).isZero();
    }
  }

  @Test
  void threadsTogetherGetNoMoreThanOneWould() throws Exception {
    Profile profile = profile("many", 1, 1_000);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> passed = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        passed.add(
            threads.submit(
                () -> {
                  int own = 0;
                  for (int i = 0; i < 1_000; i++) {
                    own += limits.take(profile, "c", 1, 0) == 0 ? 1 : 0;
                  }
                  return own;
                }));
      }
      int all = 0;
      for (Future<Integer> each : passed) {
        all += each.get();
      }
      assertThat(all).isEqualTo(1_000);
    }
  }
}
