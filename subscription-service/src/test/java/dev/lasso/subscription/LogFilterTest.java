package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.Bytes;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogFilterTest {
  private static final String A = "0x" + "a".repeat(40);
  private static final String B = "0x" + "b".repeat(40);
  private static final String T = "0x" + "1".repeat(64);
  private static final String U = "0x" + "2".repeat(64);

  private static LogFilter read(String json) {
    return LogFilter.read(new JsonObject(json.replace('\'', '"')));
  }

  private static LogEntry log(String address, String... topics) {
    return new LogEntry(address, List.of(topics), Bytes.EMPTY);
  }

  @Test
  void anEmptyFilterTakesEveryLog() {
    assertThat(read("{}")).isEqualTo(LogFilter.ALL);
    assertThat(LogFilter.ALL.matches(log(A))).isTrue();
  }

  @Test
  void readsOneAddressOrSeveralInAnyCase() {
    String upper = "0x" + "A".repeat(40);

    assertThat(read("{'address':'" + upper + "'}").addresses()).isEqualTo(Set.of(A));
    assertThat(read("{'address':['" + A + "','" + B + "']}").addresses()).isEqualTo(Set.of(A, B));
  }

  @Test
  void aNullPositionTakesAnyTopicButWantsOne() {
    LogFilter filter = read("{'topics':[null,'" + U + "']}");

    assertThat(filter.matches(log(A, T, U))).isTrue();
    assertThat(filter.matches(log(A, T, U, T))).isTrue();
    assertThat(filter.matches(log(A, U))).isFalse();
    assertThat(filter.matches(log(A, U, T))).isFalse();
  }

  @Test
  void aListAtAPositionTakesEachOfItsTopics() {
    LogFilter filter = read("{'topics':[['" + T + "','" + U + "']]}");

    assertThat(filter.matches(log(A, T))).isTrue();
    assertThat(filter.matches(log(A, U))).isTrue();
    assertThat(filter.matches(log(A))).isFalse();
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> read("{'address':'0x12'}"))
        .hasMessage("invalid address: expected 0x and 40 hex digits");
    assertThatThrownBy(() -> read("{'topics':['0x12']}"))
        .hasMessage("invalid topics[0]: expected 0x and 64 hex digits");
    assertThatThrownBy(() -> read("{'topics':'" + T + "'}")).hasMessage("topics must be an array");
    assertThatThrownBy(() -> read("{'topics':[null,null,null,null,null]}"))
        .hasMessage("topics must have at most 4 positions");
    assertThatThrownBy(() -> read("{'address':7}"))
        .hasMessage("address must be a string or an array");
  }

  @Test
  void aListWithANullTakesAnythingAndIsCheckedAllTheSame() {
    assertThat(read("{'topics':[['" + T + "',null]],'address':[null,'" + A + "']}"))
        .isEqualTo(new LogFilter(Set.of(), List.of(Set.of())));
    assertThatThrownBy(() -> read("{'topics':['" + T + "',[null,'" + "x".repeat(70_000) + "']]}"))
        .hasMessage("invalid topics[1][1]: expected 0x and 64 hex digits");
    assertThatThrownBy(() -> read("{'address':[null,{'a':1}]}"))
        .hasMessage("invalid address[1]: expected 0x and 40 hex digits");
  }

  @Test
  void whatTakesTooMuchIsRefused() {
    String all = "[" + many(1_024) + "]";
    assertThat(read("{'topics':[" + all + "]}").topics().getFirst()).hasSize(1_024);
    assertThatThrownBy(() -> read("{'topics':[" + all + "," + all + "]}"))
        .hasMessage("address and topics take 141312 bytes: expected at most 131072");
  }

  private static String many(int topics) {
    return IntStream.range(0, topics)
        .mapToObj("'0x%064x'"::formatted)
        .collect(Collectors.joining(","));
  }
}
