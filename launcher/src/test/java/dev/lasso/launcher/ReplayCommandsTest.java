package dev.lasso.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The commands over a trace that two gateways, all services and a broker left behind: five seconds
 * in which provider alpha is dead. It was written with version 1 of the format and an older schema
 * of decisions, and must stay readable.
 */
class ReplayCommandsTest {
  private static final String TRACE = "src/test/resources/replay/incident-1.trace";
  private static final String UNSERVED = "b6aa1d64aa8bf596";

  @TempDir private Path directory = Path.of(".");

  private record Run(int exitCode, String out, String err) {
    JsonNode json() {
      try {
        return new ObjectMapper().readTree(out);
      } catch (JsonProcessingException e) {
        throw new AssertionError(out, e);
      }
    }
  }

  private static Run replay(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] all = new String[arguments.length + 1];
    all[0] = "replay";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    int exitCode =
        Lasso.commandLine(Map.of())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all);
    return new Run(exitCode, out.toString(), err.toString());
  }

  @Test
  void timelineTellsTheStoryInOrderAndNotesOnStandardError() {
    Run run = replay("timeline", "--trace", TRACE);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines())
        .containsExactly(
            "2026-11-30 08:23:53.000Z to 2026-11-30 08:23:58.000Z, trace " + TRACE,
            "2026-11-30 08:23:53.105Z  ! failures    main alpha http: 5 attempts of 5 requests"
                + " failed in 1.3 s (network_error 5), last network_error: connection refused",
            "2026-11-30 08:23:55.102Z  X circuit     main alpha http: circuit opened after 11"
                + " failures in a row, last network_error: connection refused; no requests for"
                + " 31 s",
            "2026-11-30 08:23:56.953Z  X unserved    lonely main: nobody could serve 3 requests in"
                + " 36 ms (eth_getBalance 3); see `lasso replay explain "
                + UNSERVED
                + "`");
    assertThat(run.err().lines())
        .containsExactly(
            "lasso: trace: URLs, header values and API keys of profiles were left out");
  }

  @ParameterizedTest
  @CsvSource({
    "--profile,lonely,unserved",
    "--instance,alpha,failures circuit",
    "--chain,main,failures circuit unserved",
    "--chain,1337,failures circuit unserved",
    "--chain,side,''",
    "--from,08:23:55.5,unserved",
    "--to,2026-11-30T08:23:55.5Z,failures circuit",
    "--from,-1500ms,unserved",
  })
  void timelineTellsOnlyWhatIsAskedFor(String option, String value, String kinds) {
    JsonNode entries = replay("timeline", "--trace", TRACE, "--json", option, value).json();

    assertThat(String.join(" ", entries.findValuesAsText("kind"))).isEqualTo(kinds);
  }

  @Test
  void timesAreShownInTheZoneThatWasAskedFor() {
    assertThat(replay("timeline", "--trace", TRACE, "--zone", "Asia/Kolkata").out())
        .contains("2026-11-30 13:53:55.102+05:30  X circuit");
  }

  @Test
  void stateIsAsOfTheMoment() {
    String before = "/local/chaos/main/channels/alpha http/circuit";

    assertThat(replay("state", "--trace", TRACE, "--json", "--at", "08:23:54").json().at(before))
        .hasToString("\"closed\"");
    assertThat(replay("state", "--trace", TRACE, "--json").json().at(before))
        .hasToString("\"open\"");
    assertThat(replay("state", "--trace", TRACE, "--json", "--region", "elsewhere").json())
        .isEmpty();
  }

  @Test
  void stateDiffTellsWhatChangedAndWithItsExitCodeWhetherAnythingDid() {
    Run changed = replay("state", "--trace", TRACE, "--diff", "08:23:54", "08:23:57");
    Run same = replay("state", "--trace", TRACE, "--diff", "08:23:54", "08:23:54");
    Run json = replay("state", "--trace", TRACE, "--json", "--diff", "08:23:54", "08:23:57");

    assertThat(changed.exitCode()).isEqualTo(3);
    assertThat(changed.out().lines())
        .contains(
            "local.chaos.main.channels.alpha http.circuit: closed → open",
            "local.chaos.main.channels.alpha http.open_until: — → 2026-11-30T08:24:26.229Z");
    assertThat(same.exitCode()).isZero();
    assertThat(same.out()).isEqualTo("no difference\n");
    assertThat(json.exitCode()).isEqualTo(3);
    assertThat(json.json().size()).isEqualTo((int) changed.out().lines().count());
  }

  @Test
  void explainNamesReasonAndNumbers() {
    Run run = replay("explain", UNSERVED, "--trace", TRACE);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("eth_getBalance on chain 1337 of profile lonely")
        .contains("alpha http                   CIRCUIT_OPEN   fleet circuit open for 29240 ms")
        .contains("alpha ws                     WS_DOWN        no open WebSocket connection")
        .contains("answer: 503, nobody could serve")
        .contains("taken again from the recorded state: the same, byte for byte");
  }

  @Test
  void explainSaysWhichRequestIsNotRecorded() {
    Run run = replay("explain", "--json", UNSERVED, "nobodys", "--trace", TRACE);

    assertThat(run.exitCode()).isOne();
    assertThat(run.json().findValuesAsText("request_id")).containsExactly(UNSERVED);
    assertThat(run.err()).contains("no decision of request nobodys is recorded");
  }

  @Test
  void everyDecisionComesOutTheSame() {
    Run run = replay("decisions", "--trace", TRACE);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            "115 decisions taken again: 115 the same, 0 different; 0 could not be taken again\n");
    assertThat(replay("decisions", "--json", "--trace", TRACE).json())
        .hasToString("{\"same\":115,\"different\":0,\"undecidable\":0,\"undecidable_why\":{}}");
  }

  @Test
  void whatIfComparesWithWhatWas() {
    JsonNode all = replay("what-if", "--json", "--strategy", "fastest", "--trace", TRACE).json();
    JsonNode one =
        replay(
                "what-if",
                "--json",
                "--without",
                "shaky",
                "--only-profile",
                "incident",
                "--trace",
                TRACE)
            .json();

    assertThat(all.get("decisions").asInt()).isEqualTo(115);
    assertThat(all.get("sureness").asText()).isEqualTo("low");
    assertThat(all.get("reasons").toString()).contains("only 115 recorded decisions");
    for (JsonNode provider : one.get("providers")) {
      String channel = provider.get("channel").asText();
      assertThat(channel).matches("(shaky|calm|spare) (http|ws)");
      if (channel.startsWith("shaky")) {
        assertThat(provider.get("predicted_per_second").asDouble()).isZero();
      }
    }
  }

  @Test
  void whatIfSaysWhenThereIsNothingToPredictFrom() {
    Run run =
        replay("what-if", "--strategy", "fastest", "--only-profile", "nobodys", "--trace", TRACE);

    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("no decision that can be taken again is recorded");
  }

  @Test
  void aTraceOfATraceIsAsGood() {
    Path again = directory.resolve("again.trace");
    Run written = replay("export", "--json", "--trace", TRACE, "--out", again.toString());
    Run verified = replay("verify", "--json", again.toString());

    assertThat(written.exitCode()).isZero();
    assertThat(written.json().get("records").asInt()).isEqualTo(722);
    assertThat(verified.exitCode()).isZero();
    assertThat(verified.json().get("complete").asBoolean()).isTrue();
    assertThat(verified.json().get("records").asInt()).isEqualTo(722);
    assertThat(
            replay("decisions", "--json", "--trace", again.toString()).json().get("same").asInt())
        .isEqualTo(115);
    assertThat(replay("timeline", "--trace", again.toString()).err().lines()).hasSize(1);
  }

  @Test
  void verifySaysWhereATraceIsCut() throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of(TRACE));
    Path cut = directory.resolve("cut.trace");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - 100));

    Run verified = replay("verify", cut.toString());
    Run told = replay("timeline", "--trace", cut.toString());

    assertThat(verified.exitCode()).isOne();
    assertThat(verified.out()).contains("is incomplete: it ends after");
    assertThat(told.exitCode()).isZero();
    assertThat(told.err()).contains("is incomplete: it ends after");
  }

  @Test
  void reportIsOnePageOrItsData() throws IOException {
    Path page = directory.resolve("page.html");
    Path data = directory.resolve("page.json");

    assertThat(replay("report", "--trace", TRACE, "--out", page.toString()).exitCode()).isZero();
    replay("report", "--json", "--trace", TRACE, "--out", data.toString());

    String html = Files.readString(page);
    assertThat(html).contains("circuit opened after 11 failures").doesNotContain("\"DATA\"");
    assertThat(html).doesNotContain("src=\"http").doesNotContain("href=\"http");
    JsonNode tree = new ObjectMapper().readTree(Files.readString(data));
    assertThat(tree.get("endpoints")).hasSize(14);
    assertThat(tree.get("entries")).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeline --from 08:24:00 --to 08:23:00|is after --to",
        "timeline --from yesterday|is no time: expected such as -30m",
        "timeline --zone Nowhere|is no time zone",
        "state --at now --diff 08:23 08:24|--at or --diff, not both",
        "what-if|what is to change? --strategy, --profile or --without",
        "what-if --strategy luck|luck",
        "report|Missing required option",
      })
  void aWrongCallHasExitCodeTwoAndSaysWhy(String line, String why) {
    Run run = replay((line + " --trace " + TRACE).split(" ", -1));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(why);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void whatIsNoTraceIsRefusedInOneLine() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.txt"), "not a trace");

    Run missing = replay("timeline", "--trace", directory.resolve("none.trace").toString());
    Run other = replay("verify", text.toString());

    assertThat(missing.exitCode()).isOne();
    assertThat(missing.err()).startsWith("lasso: there is no trace ").hasLineCount(1);
    assertThat(other.exitCode()).isOne();
    assertThat(other.err()).contains("is no trace of Lasso").hasLineCount(1);
  }
}
