package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.engine.rpc.RpcCall;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterRequestTest {
  private static FilterRequest read(String method, String params) {
    return FilterRequest.read(RpcCall.of(method, params));
  }

  @Test
  void criteriaKeepWhatMatters() {
    String address = "0x" + "Ab".repeat(20);
    assertThat(
            read(
                "eth_newFilter",
                "[{\"address\":\"%s\",\"fromBlock\":\"0x10\",\"toBlock\":\"latest\",\"x\":1}]"
                    .formatted(address)))
        .isEqualTo(
            new FilterRequest.NewLogs(
                new FilterCriteria(
                    new LogFilter(Set.of(address.toLowerCase(java.util.Locale.ROOT)), List.of()),
                    16,
                    Long.MAX_VALUE,
                    "{\"address\":\"%s\",\"fromBlock\":\"0x10\",\"toBlock\":\"latest\"}"
                        .formatted(address.toLowerCase(java.util.Locale.ROOT)))));
  }

  @Test
  void criteriaAreKeptAsTheyWereRead() {
    String topic = "0x" + "1".repeat(64);
    String other = "0x" + "2".repeat(64);
    FilterRequest request =
        read(
            "eth_newFilter",
            """
            [{"topics":[["%s","%s","%s"],[],["%s",null],["%s"]],"address":[],"fromBlock":"0x00Ab"}]
            """
                .formatted(other, topic, topic, other, topic));
    assertThat(request)
        .isInstanceOfSatisfying(
            FilterRequest.NewLogs.class,
            made -> {
              FilterCriteria criteria = made.criteria();
              assertThat(criteria.json())
                  .isEqualTo(
                      "{\"topics\":[[\"%s\",\"%s\"],null,null,\"%s\"],\"fromBlock\":\"0xab\"}"
                          .formatted(topic, other, topic));
              assertThat(FilterCriteria.read(new JsonObject(criteria.json()))).isEqualTo(criteria);
            });
  }

  @Test
  void theLargestCriteriaFit() {
    String topics =
        IntStream.range(0, 1_024)
            .mapToObj("\"0x%064x\""::formatted)
            .collect(Collectors.joining(",", "[", "]"));
    String addresses = topics.replace("0x" + "0".repeat(24), "0x");
    FilterRequest request =
        read(
            "eth_newFilter",
            "[{\"topics\":[null,null,null,%s],\"address\":%s,\"fromBlock\":\"0x7fffffffffffffff\"}]"
                .formatted(topics, addresses));
    assertThat(request)
        .isInstanceOfSatisfying(
            FilterRequest.NewLogs.class,
            made ->
                assertThat(made.criteria().json())
                    .hasSizeBetween(100_000, FilterCriteria.MAX_BYTES));
  }

  @Test
  void blocksOutsideTheRangeDoNotMatch() {
    FilterRequest request =
        read("eth_newFilter", "[{\"fromBlock\":\"0x10\",\"toBlock\":\"0x11\"}]");
    LogEntry log = new LogEntry(TestChain.address(0), List.of(), dev.lasso.routing.Bytes.EMPTY);
    assertThat(request).isInstanceOf(FilterRequest.NewLogs.class);
    FilterCriteria criteria = ((FilterRequest.NewLogs) request).criteria();
    assertThat(
            java.util.stream.LongStream.rangeClosed(14, 19)
                .filter(number -> criteria.matches(log, number)))
        .containsExactly(16L, 17L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"fromBlock\":\"0x2\",\"toBlock\":\"0x1\"}]",
        "[{\"fromBlock\":\"pending\"}]",
        "[{\"fromBlock\":12}]",
        "[{\"blockHash\":\"0x12\"}]",
        "[{\"address\":\"0x12\"}]",
        "[7]",
        "{}"
      })
  void whatCanNotBeAFilterIsRefused(String params) {
    assertThatThrownBy(() -> read("eth_newFilter", params))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPollNeedsAnId() {
    assertThat(read("eth_getFilterChanges", "[\"0x1\"]"))
        .isEqualTo(new FilterRequest.Changes("0x1"));
    assertThatThrownBy(() -> read("eth_getFilterChanges", "[]"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> read("eth_uninstallFilter", "[1]"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
