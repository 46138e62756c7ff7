package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Profiles that can't be used are refused as a whole, with file, line and expectation, and leave a
 * running stack as it was.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadProfileSystemIT {
  private static final String GOOD =
      """
      name: Test
      slug: %s
      chains:
        main:
          chain_id: 1337
          providers:
            - id: %s
              url: %s
      """;

  private final TestProviders providers = TestProviders.start("one");
  private LassoCommand up;
  private Rpc gateway;
  private String kafka;

  /** What can be wrong with a file, and what is said about it. */
  enum Fault {
    BROKEN_YAML("name: [Test\nslug: : :\n", "bad.yml:2"),
    UNKNOWN_KEY(bad().replace("chain_id", "chian_id"), "bad.yml:5", "chian_id", "chain_id"),
    DUPLICATE_PROVIDER_ID(
        bad() + "      - id: one\n        url: http://127.0.0.1:2\n", "bad.yml:9", "one"),
    DUPLICATE_SLUG(bad().replace("slug: bad", "slug: good"), "good.yml", "slug"),
    TWO_CHAINS_WITH_ONE_ID(
        bad() + bad().substring(bad().indexOf("  main:")).replace("main", "other"),
        "bad.yml:10",
        "1337"),
    NO_PROVIDERS(
        bad().substring(0, bad().indexOf("    providers:")) + "    providers: []\n",
        "bad.yml:6",
        "providers"),
    UNRESOLVED_VARIABLE(
        bad().replace("http://127.0.0.1:1", "https://example.org/${LASSO_TEST_NO_SUCH_KEY}"),
        "bad.yml:8",
        "LASSO_TEST_NO_SUCH_KEY");

    private final String file;
    private final String said;

    Fault(String file, String... said) {
      this.file = file;
      this.said = String.join("|", said);
    }

    private String[] said() {
      return said.split("\\|", -1);
    }

    private static String bad() {
      return GOOD.formatted("bad", "one", "http://127.0.0.1:1");
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(profiles.resolve("good.yml"), GOOD.formatted("good", "one", url()));
    up =
        LassoCommand.start(
            directory,
            "up",
            "--profiles",
            profiles.toString(),
            "--port",
            "0",
            "--kafka-port",
            "0",
            "--ephemeral");
    gateway = new Rpc(up.ready().http());
    kafka = up.ready().kafka();
  }

  @AfterAll
  void end() {
    up.close();
    providers.close();
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedAndDisturbsNothing(Fault fault, @TempDir Path directory) throws IOException {
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(profiles.resolve("good.yml"), GOOD.formatted("good", "changed", url()));
    Files.writeString(profiles.resolve("bad.yml"), fault.file);

    List<String> validated = refused(directory, "profiles", "validate", profiles.toString());
    assertThat(String.join("\n", validated)).contains(fault.said());
    List<String> applied =
        refused(directory, "profiles", "apply", profiles.toString(), "--kafka", kafka);
    assertThat(String.join("\n", applied)).contains(fault.said()).contains("nothing applied");

    assertThat(Fleet.ids(gateway, "good")).containsExactly("one");
    assertThat(gateway.get("/health/ready").statusCode()).isEqualTo(200);
    Await.until(() -> gateway.result("/rpc/profile/good/main", Rpc.BALANCE));
  }

  private static List<String> refused(Path directory, String... arguments) {
    try (LassoCommand command = LassoCommand.start(directory, arguments)) {
      assertThat(command.exitCode()).as(command.toString()).isEqualTo(1);
      List<String> lines = command.lines();
      assertThat(lines).noneMatch(line -> line.startsWith("\tat ") || line.contains("Exception"));
      return lines;
    }
  }

  private String url() {
    return providers.url("one");
  }
}
