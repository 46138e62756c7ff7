package dev.lasso.routing.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.select.ChainRoutes;
import dev.lasso.routing.select.ChannelRow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SnapshotFoldTest {
  private static final Region HERE = Region.of("here");
  private static final ProfileSlug SLUG = ProfileSlug.of("default");
  private static final ChainId ETHEREUM = ChainId.of(1);
  private static final ChainId BASE = ChainId.of(8453);

  private final SnapshotFold fold = new SnapshotFold(HERE, _ -> null);

  private static Profile profile(String... ethereumProviders) {
    return new Profile(
        SLUG,
        "Default",
        100,
        500,
        List.of(
            ChainProfile.of(
                ETHEREUM,
                ChainName.of("ethereum"),
                List.of(ethereumProviders).stream()
                    .map(id -> Provider.of(ProviderId.of(id), "https://" + id + ".example"))
                    .toList()),
            ChainProfile.of(
                BASE,
                ChainName.of("base"),
                List.of(Provider.of(ProviderId.of("b"), "https://b.example")))));
  }

  private ChainRoutes routes(String chain) {
    ActiveProfile active =
        Objects.requireNonNull(fold.snapshot(SnapshotPosition.START).profile(SLUG));
    return Objects.requireNonNull(active.chain(chain)).routes();
  }

  private static InstanceHealth health(Region region, Channel channel, CircuitStatus circuit) {
    return new InstanceHealth(
        region,
        ETHEREUM,
        channel.endpoint(),
        10,
        HealthStatus.UNAVAILABLE,
        circuit,
        5_000,
        0,
        0,
        0,
        0,
        5,
        0,
        null,
        new AttemptOutcome.Failure(ErrorClass.NETWORK_ERROR, null, null, "refused", null),
        9,
        0,
        List.of());
  }

  private static ProviderMetrics metrics(Channel channel, String method, double p50Ms) {
    return new ProviderMetrics(
        HERE, SLUG, ETHEREUM, channel, method, 10, p50Ms, p50Ms, p50Ms, p50Ms, 1, 10, 1);
  }

  private static ChainState state(Region region, Channel channel, long height) {
    return new ChainState(
        region,
        ETHEREUM,
        10,
        height,
        10,
        null,
        null,
        2_000.0,
        List.of(new ChainState.InstanceHeight(channel.instance(), height, 9, 9, false, false)));
  }

  private @Nullable Double latency(String method, int channel) {
    var row = routes("ethereum").evidence(channel, method);
    return row == null ? null : row.latencyMs();
  }

  @Test
  void findsChainsByNameAndByDecimalId() {
    fold.apply(profile("a"));
    assertThat(routes("ethereum")).isSameAs(routes("1"));
    assertThat(routes("base").chain()).isEqualTo(BASE);
  }

  @Test
  void foldsHealthHeightsAndEvidenceIntoTheChannel() {
    fold.apply(profile("a"));
    Channel a = routes("ethereum").channels().getFirst().channel();
    fold.apply(health(HERE, a, CircuitStatus.OPEN));
    fold.apply(state(HERE, a, 100));
    fold.apply(metrics(a, "eth_call", 12));

    ChannelRow row = routes("ethereum").channels().getFirst();
    assertThat(row.fleet().circuit()).isEqualTo(CircuitStatus.OPEN);
    assertThat(Objects.requireNonNull(row.height()).number()).isEqualTo(100);
    assertThat(routes("ethereum").consensusHeight()).isEqualTo(100);
    assertThat(routes("ethereum").blockTimeMs()).isEqualTo(2_000);
    assertThat(latency("eth_call", 0)).isEqualTo(12.0);
    assertThat(latency("eth_chainId", 0)).isNull();
  }

  @Test
  void passesOverOtherRegions() {
    fold.apply(profile("a"));
    Channel a = routes("ethereum").channels().getFirst().channel();
    fold.apply(health(Region.of("there"), a, CircuitStatus.OPEN));
    fold.apply(state(Region.of("there"), a, 100));
    assertThat(routes("ethereum").channels().getFirst().fleet().circuit())
        .isEqualTo(CircuitStatus.CLOSED);
    assertThat(routes("ethereum").consensusHeight()).isNull();
  }

  @Test
  void keepsWhatArrivedBeforeTheProfile() {
    fold.apply(profile("a"));
    Channel a = routes("ethereum").channels().getFirst().channel();
    SnapshotFold late = new SnapshotFold(HERE, _ -> null);
    late.apply(health(HERE, a, CircuitStatus.OPEN));
    late.apply(metrics(a, "eth_call", 12));
    late.apply(profile("a"));
    ActiveProfile active =
        Objects.requireNonNull(late.snapshot(SnapshotPosition.START).profile(SLUG));
    ChainRoutes routes = Objects.requireNonNull(active.chain("ethereum")).routes();
    assertThat(routes.channels().getFirst().fleet().circuit()).isEqualTo(CircuitStatus.OPEN);
    assertThat(routes.evidence(0, "eth_call")).isNotNull();
  }

  @Test
  void rebuildsOnlyTheChainsThatChanged() {
    fold.apply(profile("a"));
    ChainRoutes ethereum = routes("ethereum");
    ChainRoutes base = routes("base");
    fold.apply(state(HERE, ethereum.channels().getFirst().channel(), 100));
    assertThat(routes("base")).isSameAs(base);
    assertThat(routes("ethereum")).isNotSameAs(ethereum);
  }

  @Test
  void laysEvidenceOutAnewWhenProvidersChange() {
    fold.apply(profile("a", "z"));
    Channel z = routes("ethereum").channels().get(1).channel();
    fold.apply(metrics(z, "eth_call", 12));
    assertThat(latency("eth_call", 1)).isEqualTo(12.0);
    fold.apply(profile("z"));
    assertThat(latency("eth_call", 0)).isEqualTo(12.0);
  }

  @Test
  void forgetsWhatIsTombstoned() {
    fold.apply(profile("a"));
    Channel a = routes("ethereum").channels().getFirst().channel();
    fold.apply(health(HERE, a, CircuitStatus.OPEN));
    fold.apply(state(HERE, a, 100));
    fold.apply(metrics(a, "eth_call", 12));
    fold.removeHealth(HERE, a.endpoint());
    fold.removeChainState(HERE, ETHEREUM);
    fold.removeMetrics(HERE, SLUG, ETHEREUM, a.instance(), Transport.HTTP, "eth_call");
    ChainRoutes routes = routes("ethereum");
    assertThat(routes.channels().getFirst().fleet().circuit()).isEqualTo(CircuitStatus.CLOSED);
    assertThat(routes.consensusHeight()).isNull();
    assertThat(routes.evidence(0, "eth_call")).isNull();
    fold.remove(SLUG);
    assertThat(fold.snapshot(SnapshotPosition.START).profile(SLUG)).isNull();
  }

  @Test
  void namesProvidersThatThisProcessCantUse() {
    fold.apply(
        new Profile(
            SLUG,
            "Default",
            100,
            500,
            List.of(
                ChainProfile.of(
                    ETHEREUM,
                    ChainName.of("ethereum"),
                    List.of(
                        Provider.of(ProviderId.of("keyed"), "https://x.example/${KEY}"),
                        Provider.of(ProviderId.of("open"), "https://y.example"))))));
    ActiveProfile active =
        Objects.requireNonNull(fold.snapshot(SnapshotPosition.START).profile(SLUG));
    ActiveChain chain = Objects.requireNonNull(active.chain("ethereum"));
    assertThat(chain.routes().channels()).hasSize(1);
    assertThat(chain.unusable().getFirst().provider()).isEqualTo(ProviderId.of("keyed"));
    assertThat(chain.unusable().getFirst().reason()).contains("KEY");
  }

  @Test
  void positionsReadBackWhatTheyWrite() {
    SnapshotPosition position =
        new SnapshotPosition(List.of("chain-state-0", "profiles-0"), new long[] {5, 17});
    assertThat(SnapshotPosition.parse(position.toString())).isEqualTo(position);
    assertThat(SnapshotPosition.parse("")).isEqualTo(SnapshotPosition.START);
  }

  @Test
  void aFewVeryLateAnswersHardlyRaiseTheUsualLatency() {
    fold.apply(profile("a"));
    Channel channel = routes("ethereum").channels().getFirst().channel();
    fold.apply(
        new ProviderMetrics(
            HERE, SLUG, ETHEREUM, channel, "eth_call", 10, 20, 40, 4_000, 60, 1, 500, 1));
    var row = Objects.requireNonNull(routes("ethereum").evidence(0, "eth_call"));
    assertThat(row.p95Ms()).isBetween(100.0, 200.0);
  }
}
