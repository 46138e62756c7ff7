package dev.lasso.engine.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.StrategyName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RpcPathTest {
  @Test
  void readsEveryForm() {
    assertThat(RpcPath.parse("ethereum")).isEqualTo(new RpcPath("default", null, null, "ethereum"));
    assertThat(RpcPath.parse("1/")).isEqualTo(new RpcPath("default", null, null, "1"));
    assertThat(RpcPath.parse("provider/alchemy/base"))
        .isEqualTo(new RpcPath("default", null, "alchemy", "base"));
    assertThat(RpcPath.parse("profile/acme/base"))
        .isEqualTo(new RpcPath("acme", null, null, "base"));
    assertThat(RpcPath.parse("profile/acme/provider/alchemy/base"))
        .isEqualTo(new RpcPath("acme", null, "alchemy", "base"));
  }

  @ParameterizedTest
  @EnumSource(StrategyName.class)
  void readsStrategiesWithHyphensAndUnderscores(StrategyName strategy) {
    assertThat(RpcPath.parse(strategy.pathWord() + "/base"))
        .isEqualTo(new RpcPath("default", strategy, null, "base"));
    assertThat(RpcPath.parse("profile/acme/" + strategy.word() + "/base"))
        .isEqualTo(new RpcPath("acme", strategy, null, "base"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "//",
        "a//b",
        "/a",
        "quickest/base",
        "a/b/c",
        "provider/x/y/z",
        "profile/a/b/c/d/e"
      })
  void knowsNoOtherForm(String rest) {
    assertThat(RpcPath.parse(rest)).isNull();
  }
}
