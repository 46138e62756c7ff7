package dev.lasso.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.fault.FaultRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationPlanTest {

  @Test
  void withoutOptionsItIsTheDemo() {
    SimulationPlan plan = SimulationPlan.parse(9000, 1, List.of(), List.of(), "");

    assertThat(plan.chains()).extracting(ChainSpec::name).containsExactly("ethereum", "base");
    assertThat(plan.providers())
        .extracting(ProviderSpec::port)
        .containsExactly(9000, 9001, 9002, 9003, 9004, 9005, 9006, 9007, 9008, 9009);
  }

  @Test
  void readsChainsAndProviders() {
    SimulationPlan plan =
        SimulationPlan.parse(
            0,
            5,
            List.of("devnet:1337:500ms"),
            List.of("x chain=devnet latency=20ms jitter=5ms rps=9 lag=3 archival=false port=9100"),
            "1s x hang");

    ChainSpec chain = plan.chains().getFirst();
    assertThat(chain.chainId()).isEqualTo(1337);
    assertThat(chain.blockTime()).isEqualTo(Duration.ofMillis(500));
    assertThat(chain.seed()).isEqualTo(5);
    ProviderSpec provider = plan.providers().getFirst();
    assertThat(provider.latency()).isEqualTo(Duration.ofMillis(20));
    assertThat(provider.jitter()).isEqualTo(Duration.ofMillis(5));
    assertThat(provider.requestsPerSecond()).isEqualTo(9);
    assertThat(provider.port()).isEqualTo(9100);
    assertThat(provider.node().headOffset()).isEqualTo(3);
    assertThat(provider.node().archival()).isFalse();
    assertThat(plan.script().steps())
        .containsExactly(new FaultScript.Pin(Duration.ofSeconds(1), "x", FaultRule.parse("hang")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ethereum|x chain=ethereum|expected NAME:CHAIN_ID",
        "ethereum:one|x chain=ethereum|'one' is no chain id",
        "ethereum:1:soon|x chain=ethereum|'soon' is no time",
        "ethereum:1|x|chain=NAME is missing",
        "ethereum:1|x chain=ethereum lag=far|option 'lag' needs a number",
        "ethereum:1|x chain=ethereum speed=9|unknown option 'speed'",
        "ethereum:1|x chain=ethereum fast|expected option=value",
      })
  void namesWhatIsWrong(String chain, String provider, String complaint) {
    assertThatThrownBy(() -> SimulationPlan.parse(0, 1, List.of(chain), List.of(provider), ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "10s x|expected 'TIME PROVIDER FAULT'",
        "soon x hang|'soon' is no time",
        "1s x explode|unknown fault 'explode'",
        "1s chain:a burn|unknown chain command 'burn'",
        "1s chain:a mine:all|'mine' needs a number",
      })
  void scriptsNameTheLine(String line, String complaint) {
    assertThatThrownBy(() -> FaultScript.parse("# comment\n\n" + line))
        .hasMessageStartingWith("line 3: ")
        .hasMessageContaining(complaint);
  }

  @Test
  void unknownNamesInAScriptAreFoundBeforeTheStart() {
    SimulationPlan plan = SimulationPlan.parse(0, 1, List.of(), List.of(), "1s nobody hang");

    assertThatThrownBy(plan::toSimulation).hasMessageContaining("no provider 'nobody'");
  }
}
