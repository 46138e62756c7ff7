package dev.lasso.routing.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.facts.MethodPolicy.Decision;
import dev.lasso.routing.facts.MethodPolicy.Decision.Allowed;
import dev.lasso.routing.facts.MethodPolicy.Decision.Refused;
import dev.lasso.routing.profile.MethodAccess;
import dev.lasso.routing.profile.MethodPattern;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MethodPolicyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "eth_sendTransaction", "eth_sign", "eth_signTypedData_v4", "eth_signTransaction",
        "eth_accounts", "personal_unlockAccount", "admin_addPeer", "miner_start",
        "engine_newPayloadV4", "debug_setHead", "debug_startCPUProfile", "evm_mine",
        "anvil_setBalance", "hardhat_reset", "ADMIN_ADDPEER", "Eth_SendTransaction",
        "eth_SIGNtypedData"
      })
  void keysAdministrationAndChainControlAreNeverForwarded(String name) {
    assertThat(decide(MethodPolicy.standard(), name)).isInstanceOf(Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eth_call",
        "eth_sendRawTransaction",
        "debug_traceTransaction",
        "eth_subscribe",
        "foo_bar",
        "adminer_x",
        "eth_accountsOf"
      })
  void everythingElseIs(String name) {
    assertThat(decide(MethodPolicy.standard(), name)).isEqualTo(new Allowed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ETH_CALL", "eth_Call", "Eth_GetLogs", "DEBUG_TRACECALL"})
  void anotherSpellingOfAListedMethodIsRefusedWithTheRightOne(String name) {
    assertThat(decide(MethodPolicy.standard(), name))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.type(Refused.class))
        .extracting(Refused::reason)
        .asString()
        .contains("case-sensitive");
  }

  @Test
  void aProfileTakesAwayWhateverTheSpelling() {
    MethodPolicy policy = policy(List.of(), List.of("debug_*", "eth_getLogs", "Foo_*"));

    assertThat(decide(policy, "debug_traceCall")).isInstanceOf(Refused.class);
    assertThat(decide(policy, "DEBUG_TRACECALL")).isInstanceOf(Refused.class);
    assertThat(decide(policy, "eth_getLogs")).isInstanceOf(Refused.class);
    assertThat(decide(policy, "foo_bar")).isInstanceOf(Refused.class);
    assertThat(decide(policy, "eth_call")).isEqualTo(new Allowed());
  }

  @Test
  void aProfileGivesBack() {
    MethodPolicy policy = policy(List.of("evm_*", "eth_accounts"), List.of());

    assertThat(decide(policy, "evm_mine")).isEqualTo(new Allowed());
    assertThat(decide(policy, "eth_accounts")).isEqualTo(new Allowed());
    assertThat(decide(policy, "anvil_mine")).isInstanceOf(Refused.class);
  }

  @Test
  void denyWins() {
    MethodPolicy policy =
        policy(List.of("debug_traceCall", "evm_*"), List.of("debug_*", "evm_mine"));

    assertThat(decide(policy, "debug_traceCall")).isInstanceOf(Refused.class);
    assertThat(decide(policy, "evm_mine")).isInstanceOf(Refused.class);
    assertThat(decide(policy, "evm_snapshot")).isEqualTo(new Allowed());
  }

  @Test
  void refusalsSayWhy() {
    MethodPolicy policy = policy(List.of(), List.of("trace_*"));

    assertThat(decide(policy, "trace_block"))
        .isEqualTo(new Refused("the profile does not serve this method"));
    assertThat(decide(policy, "eth_sign")).isEqualTo(new Refused("the gateway holds no keys"));
  }

  private static MethodPolicy policy(List<String> allow, List<String> deny) {
    return MethodPolicy.of(
        new MethodAccess(
            allow.stream().map(MethodPattern::of).toList(),
            deny.stream().map(MethodPattern::of).toList()));
  }

  private static Decision decide(MethodPolicy policy, String name) {
    return policy.decide(MethodTable.of(name));
  }
}
