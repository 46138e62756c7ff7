package dev.lasso.routing.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MethodTableTest {
  @Test
  void everyRowIsFoundByItsBytesWhereverTheyStand() {
    for (RpcMethod row : MethodTable.rows()) {
      byte[] request = ("{\"method\":\"" + row.name() + "\"}").getBytes(StandardCharsets.UTF_8);

      assertThat(MethodTable.lookup(request, 11, row.name().length())).isSameAs(row);
      assertThat(MethodTable.lookup(request, 11, row.name().length() - 1)).isNotSameAs(row);
      assertThat(MethodTable.rows().get(row.index())).isSameAs(row);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "eth_", "ETH_CALL", "eth_callx", "eth_getEverything", "\u00e9"})
  void otherNamesAreNotListed(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);

    assertThat(MethodTable.lookup(bytes, 0, bytes.length)).isNull();
    assertThat(MethodTable.of(bytes, 0, bytes.length).name()).isEqualTo(name);
    assertThat(MethodTable.of(name).tag()).isEqualTo("other");
  }

  @ParameterizedTest
  @CsvSource({
    "foo_getThing, true, other",
    "foo_setThing, false, other",
    "eth_doThing, false, other",
    "trace_newThing, true, trace",
    "debug_traceThing, true, debug",
    "debug_doThing, false, debug"
  })
  void unlistedMethodsGoByTheirName(String name, boolean replaySafe, String category) {
    RpcMethod method = MethodTable.of(name);

    assertThat(method.replaySafe()).isEqualTo(replaySafe);
    assertThat(method.category().word()).isEqualTo(category);
    assertThat(method.readsParams()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "eth_blockNumber, 1000",
    "eth_getBalance, 2000",
    "eth_call, 5000",
    "eth_getLogs, 5000",
    "eth_getBlockByNumber, 10000",
    "debug_traceTransaction, 30000",
    "trace_replayBlockTransactions, 45000"
  })
  void deadlinesFollowTheKindOfWork(String name, long deadlineMs) {
    assertThat(MethodTable.of(name).deadlineMs()).isEqualTo(deadlineMs);
  }

  @Test
  void whatChangesSomethingOrLivesOnOneNodeIsSentOnce() {
    List<String> replayed =
        MethodTable.rows().stream()
            .filter(RpcMethod::replaySafe)
            .filter(
                row ->
                    switch (row.category()) {
                      case SEND, FILTER, SUBSCRIPTION -> true;
                      case HEAD, LIGHT, CALL, LOGS, RECEIPTS, BLOCK, TRANSACTION, DEBUG, TRACE ->
                          false;
                      case TXPOOL, LOCAL, NET, OTHER ->
                          row.name().matches(".*_(send|sign|submit).*");
                    })
            .map(RpcMethod::name)
            .toList();

    assertThat(replayed).isEmpty();
  }

  @Test
  void exactlyChainIdAndNetworkIdAreAnsweredLocally() {
    assertThat(
            MethodTable.rows().stream()
                .filter(row -> row.category() == MethodCategory.LOCAL)
                .map(RpcMethod::name)
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("eth_chainId", "net_version");
  }

  @Test
  void everyRowNamesItsSource() {
    assertThat(MethodTable.rows()).allSatisfy(row -> assertThat(row.source()).isNotBlank());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eth_a head - none replay",
        "eth_a head - none replay,slow source",
        "eth_a heads - none replay source",
        "eth_a head block none replay source",
        "eth_a head block@x none replay source",
        "eth_a head - some replay source",
        "eth_a head - none replay,0s source"
      })
  void linesThatCannotBeReadAreNamed(String line) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MethodFile.parse("# head\n" + line))
        .withMessageContaining("line 2");
  }
}
