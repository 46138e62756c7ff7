package dev.lasso.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateProfilesTest {
  @TempDir private Path directory = Path.of("");

  private CommandRun run(Map<String, String> environment, String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "validate";
    arguments[1] = directory.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return CommandRun.of(new ProfilesCommand(environment), arguments);
  }

  @Test
  void countsWhatItFoundWhenAllIsRight() throws IOException {
    Files.writeString(directory.resolve("a.yml"), ProfileTexts.yaml("test", 1));

    CommandRun run = run(Map.of("KEY", "k"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("a.yml:12:18: warning: chains.ethereum.providers[1].api_key: seems to have a key")
        .endsWith("1 profile, 1 chain, 2 providers: valid, 1 warning\n")
        .doesNotContain("written-out-key");
  }

  @Test
  void printsEveryFaultAndFails() throws IOException {
    Files.writeString(
        directory.resolve("a.yml"), ProfileTexts.yaml("test", 1).replace("priority", "prio"));

    CommandRun run = run(Map.of());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("environment variable not set: KEY")
        .contains("providers[0].prio: unknown key")
        .endsWith("2 faults, 1 warning\n");
  }

  @Test
  void missingVariablesCanBeAllowed() throws IOException {
    Files.writeString(directory.resolve("a.yml"), ProfileTexts.yaml("test", 1));

    assertThat(run(Map.of()).exitCode()).isEqualTo(1);
    assertThat(run(Map.of(), "--allow-missing-variables").exitCode()).isZero();
  }

  @Test
  void printsFindingsAsJson() throws IOException {
    Files.writeString(directory.resolve("a.yml"), "slug: x");

    CommandRun run = run(Map.of(), "--json");

    JsonNode answer = new ObjectMapper().readTree(run.out());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(answer.get("valid").asBoolean()).isFalse();
    assertThat(answer.get("findings").get(0).get("code").asText()).isEqualTo("missing_key");
    assertThat(answer.get("findings").get(0).get("path").asText()).isEqualTo("name");
  }

  @Test
  void aWrongCallHasItsOwnExitCode() {
    assertThat(CommandRun.of(new ProfilesCommand(Map.of())).exitCode()).isEqualTo(2);
    assertThat(CommandRun.of(new ProfilesCommand(Map.of()), "validat").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of(new TopicsCommand(Map.of())).exitCode()).isEqualTo(2);
  }
}
