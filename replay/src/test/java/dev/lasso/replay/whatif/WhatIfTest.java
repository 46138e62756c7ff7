package dev.lasso.replay.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.replay.read.ListSource;
import dev.lasso.replay.read.Progress;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.whatif.Prediction.ProviderLoad;
import dev.lasso.replay.whatif.Prediction.Sureness;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.MethodOverride;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.RoutingSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Predictions from one run against what really comes out when the run is repeated. */
class WhatIfTest {

  private static Prediction predict(SimulatedTraffic traffic, Change change) {
    Recording recording =
        new Recording(
            new ListSource(traffic.topics().records()), traffic.topics().topics(), Progress.SILENT);
    Span run =
        Span.between(
            SimulatedTraffic.START_MS,
            SimulatedTraffic.START_MS + SimulatedTraffic.SECONDS * 1_000L);
    return new WhatIf(recording, _ -> null, change, EnginePolicy.DEFAULT).run(run, null);
  }

  @ParameterizedTest
  @EnumSource(
      value = StrategyName.class,
      names = {"FASTEST", "LATENCY_WEIGHTED", "PRIORITY"})
  void predictsAnotherStrategyAsItReallyTurnsOut(StrategyName strategy) {
    SimulatedTraffic was = new SimulatedTraffic(7, StrategyName.LOAD_BALANCED).run();
    SimulatedTraffic truth = new SimulatedTraffic(7, strategy).run();

    Prediction prediction = predict(was, new Change(strategy, null, Set.of()));

    assertThat(prediction.predicted().p50().ms())
        .as("median")
        .isCloseTo(truth.answered().percentile(0.5), Percentage.withPercentage(10));
    assertThat(prediction.predicted().p99().ms())
        .as("99th percentile")
        .isCloseTo(truth.answered().percentile(0.99), Percentage.withPercentage(25));
    assertThat(prediction.predicted().successRate()).isCloseTo(truth.successRate(), within(0.005));
    assertThat(prediction.requests()).isBetween(3_550L, 3_650L);
  }

  @Test
  void modelsWhatReallyHappened() {
    SimulatedTraffic was = new SimulatedTraffic(8, StrategyName.LOAD_BALANCED).run();

    Prediction prediction = predict(was, new Change(StrategyName.LOAD_BALANCED, null, Set.of()));

    assertThat(prediction.modelled().p50().ms())
        .isCloseTo(was.answered().percentile(0.5), Percentage.withPercentage(10));
    assertThat(prediction.modelled().p99().ms())
        .isCloseTo(was.answered().percentile(0.99), Percentage.withPercentage(15));
    assertThat(prediction.sureness()).isEqualTo(Sureness.HIGH);
  }

  @Test
  void aProviderTakenOutGetsNothingAndTheOthersItsLoad() {
    SimulatedTraffic was = new SimulatedTraffic(9, StrategyName.LOAD_BALANCED).run();

    Prediction prediction = predict(was, new Change(null, null, Set.of(ProviderId.of("p3"))));

    assertThat(prediction.providers())
        .filteredOn(load -> load.channel().equals("p3 http"))
        .singleElement()
        .extracting(ProviderLoad::predictedPerSecond)
        .isEqualTo(0.0);
    assertThat(prediction.providers())
        .filteredOn(load -> load.channel().equals("p0 http"))
        .singleElement()
        .satisfies(
            load ->
                assertThat(load.predictedPerSecond())
                    .isCloseTo(load.recordedPerSecond() * 4 / 3, Percentage.withPercentage(8)));
    assertThat(prediction.predicted().p99().ms()).isLessThan(prediction.recorded().p99().ms());
  }

  private static RoutingSettings routed(
      StrategyName strategy, Map<String, MethodOverride> methods) {
    return RoutingSettings.of(strategy, methods, true, Hedge.OFF, 1);
  }

  private static Change edited(RoutingSettings routing) {
    return new Change(null, SimulatedTraffic.profile(routing), Set.of());
  }

  private static double load(Prediction prediction, String channel) {
    return prediction.providers().stream()
        .filter(load -> load.channel().equals(channel))
        .mapToDouble(ProviderLoad::predictedPerSecond)
        .sum();
  }

  @Test
  void anEditedProfileRanksTheRequestsThatNamedNoStrategy() {
    Change edit = edited(routed(StrategyName.PRIORITY, Map.of()));

    Prediction free = predict(new SimulatedTraffic(10, StrategyName.LOAD_BALANCED).run(), edit);
    Prediction asked =
        predict(new SimulatedTraffic(10, StrategyName.LOAD_BALANCED).asking().run(), edit);

    assertThat(load(free, "p3 http")).isLessThan(0.2);
    assertThat(load(asked, "p3 http")).isCloseTo(15 / 4.0, Percentage.withPercentage(15));
  }

  @Test
  void anEditedProfilesMethodOverrideComesBeforeItsDefault() {
    SimulatedTraffic was = new SimulatedTraffic(11, StrategyName.LOAD_BALANCED).run();
    MethodOverride only = new MethodOverride(null, List.of(ProviderId.of("p2")), null);
    MethodOverride first = new MethodOverride(StrategyName.PRIORITY, List.of(), null);

    Prediction narrowed =
        predict(was, edited(routed(StrategyName.LOAD_BALANCED, Map.of("eth_call", only))));
    Prediction ranked =
        predict(was, edited(routed(StrategyName.LOAD_BALANCED, Map.of("eth_call", first))));

    assertThat(load(narrowed, "p0 http") + load(narrowed, "p1 http") + load(narrowed, "p3 http"))
        .isZero();
    assertThat(load(narrowed, "p2 http")).isCloseTo(15, Percentage.withPercentage(5));
    assertThat(load(ranked, "p0 http")).isGreaterThan(14);
  }

  @Test
  void aMethodsOwnHedgeIsDrawnWithinTheEnginesBudget() {
    SimulatedTraffic was = new SimulatedTraffic(12, StrategyName.LOAD_BALANCED).run();
    MethodOverride hedged =
        new MethodOverride(null, List.of(), new Hedge(new Hedge.After.Fixed(280), 1));

    Prediction prediction =
        predict(was, edited(routed(StrategyName.LOAD_BALANCED, Map.of("eth_call", hedged))));

    double attempts =
        prediction.providers().stream().mapToDouble(ProviderLoad::predictedPerSecond).sum();
    double before =
        prediction.providers().stream().mapToDouble(ProviderLoad::recordedPerSecond).sum();
    assertThat(prediction.modelled().p99().ms())
        .isCloseTo(prediction.recorded().p99().ms(), Percentage.withPercentage(15));
    assertThat(prediction.predicted().p99().ms())
        .isLessThan(0.95 * prediction.modelled().p99().ms());
    assertThat(attempts / before).isBetween(1.03, 1.13);
  }

  @Test
  void saysThatNothingIsKnownOfAProviderThatWasNotThere() {
    SimulatedTraffic was = new SimulatedTraffic(13, StrategyName.LOAD_BALANCED).run();
    Profile plain = SimulatedTraffic.profile(routed(StrategyName.LOAD_BALANCED, Map.of()));
    ChainProfile chain = plain.chains().getFirst();
    List<Provider> more = new ArrayList<>(chain.providers());
    more.add(Provider.of(ProviderId.of("p9"), "http://p9.example/"));
    ChainProfile wider = chain.with(more);
    Profile edited = new Profile(plain.slug(), plain.name(), 0, 0, List.of(wider));

    Prediction prediction = predict(was, new Change(null, edited, Set.of()));

    assertThat(prediction.sureness()).isNotEqualTo(Sureness.HIGH);
    assertThat(prediction.reasons())
        .contains("nothing is known of providers that were not there: p9");
  }
}
