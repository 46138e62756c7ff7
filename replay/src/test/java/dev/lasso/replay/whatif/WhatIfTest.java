package dev.lasso.replay.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lasso.replay.read.ListSource;
import dev.lasso.replay.read.Progress;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.whatif.Prediction.ProviderLoad;
import dev.lasso.replay.whatif.Prediction.Sureness;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
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
    return new WhatIf(recording, _ -> null, change).run(run, null);
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
}
