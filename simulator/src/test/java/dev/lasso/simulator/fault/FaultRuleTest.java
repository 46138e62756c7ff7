package dev.lasso.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultRuleTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delay:200ms",
        "hang",
        "refuse for=10s",
        "reset on=ws",
        "http:503",
        "http:429:Retry-After=5:body=slow down: please",
        "rpcError:-32005:limit exceeded:data={\"a\":1} count=3",
        "rpcError:-32000:header not found methods=eth_getLogs,eth_get* p=0.25",
        "malformed:html",
        "truncated p=0.5 count=2 for=1m",
        "wrongId",
        "slowBody:100",
        "rateLimited:date:5s",
        "rateLimited:rpc:200ms",
        "stopHeads",
        "stopHeads:notifications",
        "fork:3",
        "ahead:100",
        "rewind:12",
        "dropSubscription:close",
        "duplicateHeads p=0.1",
        "skipHeads",
        "reorderHeads count=1",
        "wrongChain:5",
        "syncing",
        "unsupported methods=debug_*",
        "nullResult",
      })
  void readsWhatItWrites(String text) {
    assertThat(FaultRule.parse(text)).hasToString(text);
  }

  @Test
  void readsEveryOption() {
    FaultRule rule =
        FaultRule.parse("http:503:X-A=b methods=eth_call,debug_* on=http p=0.5 count=7 for=90s");

    assertThat(rule.fault()).isEqualTo(new Fault.Http(503, Map.of("X-A", "b"), null));
    assertThat(rule.methods().matches("debug_traceCall")).isTrue();
    assertThat(rule.methods().matches("eth_callMany")).isFalse();
    assertThat(rule.transport()).isEqualTo(Transport.HTTP);
    assertThat(rule.probability()).isEqualTo(0.5);
    assertThat(rule.count()).isEqualTo(7);
    assertThat(rule.lasting()).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void fillsInDefaults() {
    assertThat(FaultRule.parse("rateLimited").fault())
        .isEqualTo(new Fault.RateLimited(Fault.RateLimited.Form.SECONDS, Duration.ofSeconds(1)));
    assertThat(FaultRule.parse("malformed").fault())
        .isEqualTo(new Fault.Malformed(Fault.Malformed.Kind.JSON));
    assertThat(FaultRule.parse("delay:50").fault())
        .isEqualTo(new Fault.Delay(Duration.ofMillis(50)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "dealy:5|unknown fault 'dealy', did you mean 'delay'?",
        "explode|unknown fault 'explode', known are",
        "``|unknown fault ''",
        "delay|'delay' needs a time",
        "delay:fast|'fast' is no time",
        "http|'http' needs an HTTP status",
        "http:42|HTTP status must be 200 to 599, was 42",
        "http:503:oops|expected header=value or body=text, was 'oops'",
        "fork:0|fork needs a depth of at least 1",
        "ahead:1001|ahead needs 1 to 1000 blocks",
        "fork:x|'fork' needs a depth, was 'x'",
        "hang:5|'hang' has too many arguments: '5'",
        "malformed:xml|'xml' is none of json, html, empty, object",
        "stopHeads:all|takes only 'notifications', was 'all'",
        "hang p=2|p must be above 0 and at most 1",
        "hang p=often|option 'p' needs a number, was 'often'",
        "hang p=0.1 p=0.2|option 'p' is given twice",
        "hang on=tcp|'tcp' is none of http, ws",
        "hang methods=eth call|unknown fault",
        "hang methods=e*h|methods are names or prefixes",
        "refuse p=0.5|refuse lasts until cleared: no methods=, on=, p= and count=",
        "skipHeads methods=eth_call|skipHeads strikes events: no methods= and no on=",
      })
  void namesTheBadWord(String text, String complaint) {
    assertThatThrownBy(() -> FaultRule.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }
}
