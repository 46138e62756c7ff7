package dev.lasso.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.schemas.avro.CircuitSymbol;
import dev.lasso.schemas.avro.ContinuityPolicySymbol;
import dev.lasso.schemas.avro.DecisionOutcomeSymbol;
import dev.lasso.schemas.avro.ErrorClassSymbol;
import dev.lasso.schemas.avro.HeadSourceSymbol;
import dev.lasso.schemas.avro.HealthSymbol;
import dev.lasso.schemas.avro.OnAllLaggingSymbol;
import dev.lasso.schemas.avro.RejectionSymbol;
import dev.lasso.schemas.avro.SharingSymbol;
import dev.lasso.schemas.avro.StrategySymbol;
import dev.lasso.schemas.avro.StreamStateSymbol;
import dev.lasso.schemas.avro.TransportSymbol;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
  static Stream<Arguments> enumsAndSymbols() {
    return Stream.of(
        Arguments.of(Transport.class, TransportSymbol.class),
        Arguments.of(ErrorClass.class, ErrorClassSymbol.class),
        Arguments.of(CircuitStatus.class, CircuitSymbol.class),
        Arguments.of(HealthStatus.class, HealthSymbol.class),
        Arguments.of(HeadSighting.Source.class, HeadSourceSymbol.class),
        Arguments.of(ChainEvent.StreamState.class, StreamStateSymbol.class),
        Arguments.of(StrategyName.class, StrategySymbol.class),
        Arguments.of(RejectionReason.class, RejectionSymbol.class),
        Arguments.of(RoutingDecision.Outcome.class, DecisionOutcomeSymbol.class),
        Arguments.of(Sharing.class, SharingSymbol.class),
        Arguments.of(Selection.OnAllLagging.class, OnAllLaggingSymbol.class),
        Arguments.of(SubscriptionSettings.ContinuityPolicy.class, ContinuityPolicySymbol.class));
  }

  @ParameterizedTest
  @MethodSource("enumsAndSymbols")
  void everyConstantHasASymbolOfItsName(
      Class<? extends Enum<?>> constants, Class<? extends Enum<?>> symbols) {
    assertThat(names(symbols))
        .as("symbols of the Avro enum for %s", constants.getSimpleName())
        .containsAll(names(constants).toList());
  }

  private static Stream<String> names(Class<? extends Enum<?>> type) {
    return Stream.of(type.getEnumConstants()).map(Enum::name);
  }
}
