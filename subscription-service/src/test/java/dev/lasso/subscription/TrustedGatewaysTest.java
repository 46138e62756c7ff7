package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.TrustedProxies;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrustedGatewaysTest {
  private final List<Presence> alive = new ArrayList<>();
  private final Callers callers =
      new Callers(new TrustedGateways(TrustedProxies.parse("192.0.2.0/28"), () -> alive));

  @Test
  void gatewaysAreBelievedWhileTheyAreThereAtTheAddressTheyTell() {
    assertThat(callers.believes("10.1.2.3")).isFalse();
    alive.add(presence("gateway", "10.1.2.3:4000"));
    assertThat(callers.believes("10.1.2.3")).isTrue();
    assertThat(callers.believes("10.1.2.4")).isFalse();
    assertThat(callers.address("10.1.2.3", _ -> "203.0.113.9")).isEqualTo("203.0.113.9");
    alive.clear();
    assertThat(callers.believes("10.1.2.3")).isFalse();
    assertThat(callers.address("10.1.2.3", _ -> "203.0.113.9")).isEqualTo("10.1.2.3");
  }

  @Test
  void otherRolesAndNamesAreNot() {
    alive.add(presence("health", "10.1.2.3:4000"));
    alive.add(presence("gateway", "gateway-1:4000"));
    alive.add(presence("gateway", null));
    assertThat(callers.believes("10.1.2.3")).isFalse();
    assertThat(callers.believes("gateway-1")).isFalse();
  }

  @Test
  void theSettingsHoldBesideThem() {
    alive.add(presence("gateway", "fd00::7:4000"));
    assertThat(callers.believes("192.0.2.3")).isTrue();
    assertThat(callers.believes("fd00::7")).isTrue();
  }

  private static Presence presence(String role, @Nullable String address) {
    return new Presence(
        Region.of("local"),
        role,
        "one",
        "1",
        0,
        0,
        false,
        address,
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        "ready",
        List.of());
  }
}
