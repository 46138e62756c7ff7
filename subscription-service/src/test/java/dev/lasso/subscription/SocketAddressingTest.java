package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.view.SnapshotSource;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketAddressingTest {
  private static final SnapshotSource SNAPSHOTS = source();

  private static SnapshotSource source() {
    SnapshotFold fold = new SnapshotFold(Region.of("test"), _ -> null);
    ChainProfile chain =
        ChainProfile.of(
            ChainId.of(1),
            ChainName.of("ethereum"),
            List.of(Provider.of(ProviderId.of("u1"), "http://u1.example")));
    fold.apply(new Profile(ProfileSlug.of("default"), "Default", 0, 0, List.of(chain)));
    return fixed(fold.snapshot(SnapshotPosition.START));
  }

  private static SnapshotSource fixed(RoutingSnapshot snapshot) {
    return new SnapshotSource() {
      @Override
      public RoutingSnapshot snapshot() {
        return snapshot;
      }

      @Override
      public void onChange(Consumer<RoutingSnapshot> listener) {}
    };
  }

  private static SocketAddressing.Asked ask(SnapshotSource snapshots, String path) {
    int mark = path.indexOf('?');
    return SocketAddressing.of(
        snapshots,
        mark < 0 ? path : path.substring(0, mark),
        mark < 0 ? null : path.substring(mark + 1),
        MultiMap.caseInsensitiveMultiMap());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ws/rpc/ethereum",
        "/ws/rpc/1",
        "/ws/rpc/fastest/ethereum",
        "/ws/rpc/provider/u1/ethereum",
        "/ws/rpc/profile/default/ethereum?exclude=u2"
      })
  void knownAddressesAreServed(String path) {
    assertThat(ask(SNAPSHOTS, path)).isInstanceOf(SocketAddressing.Asked.Known.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ws/rpc/profile/nobody/ethereum",
        "/ws/rpc/dogechain",
        "/ws/rpc/provider/u9/ethereum",
        "/ws/rpc/ethereum?provider=u9",
        "/ws/rpc/quickest/ethereum",
        "/ws/rpc/",
        "/ws/other"
      })
  void f030NothingUnknownFallsBackToTheDefault(String path) {
    assertThat(ask(SNAPSHOTS, path))
        .isInstanceOfSatisfying(
            SocketAddressing.Asked.Refused.class,
            refused -> assertThat(refused.status()).isEqualTo(404));
  }

  @Test
  void nonsenseOptionsAreTheCallersMistake() {
    assertThat(ask(SNAPSHOTS, "/ws/rpc/ethereum?min_block=soon"))
        .isInstanceOfSatisfying(
            SocketAddressing.Asked.Refused.class,
            refused -> assertThat(refused.status()).isEqualTo(400));
  }

  @Test
  void beforeAnyProfileIsKnownTheServiceIsNotReady() {
    assertThat(ask(fixed(RoutingSnapshot.EMPTY), "/ws/rpc/ethereum"))
        .isInstanceOfSatisfying(
            SocketAddressing.Asked.Refused.class,
            refused -> assertThat(refused.status()).isEqualTo(503));
  }
}
