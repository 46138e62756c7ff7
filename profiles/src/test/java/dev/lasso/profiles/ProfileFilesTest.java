package dev.lasso.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.profiles.Finding.Code;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.Templated;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileFilesTest {
  private static final Path FILE = Path.of("a.yml");
  private static final Environment VARIABLES =
      Map.of("KEY", "0123456789abcdef", "RPS", "7", "FLAG", "false", "BAD", "x y")::get;
  private static final String MINIMAL =
      """
      name: Test
      slug: test
      chains:
        ethereum:
          chain_id: 1
          providers:
            - id: node
              url: https://node.example/${KEY}
      """;

  private static LoadResult parse(String yaml) {
    return new ProfileFiles(VARIABLES, ProfileFiles.Variables.MUST_BE_SET).parse(FILE, yaml);
  }

  private static Profile valid(String yaml) {
    return switch (parse(yaml)) {
      case LoadResult.Valid valid -> valid.profiles().getFirst();
      case LoadResult.Invalid invalid -> throw new AssertionError(texts(invalid));
    };
  }

  private static List<String> texts(LoadResult result) {
    return result.findings().stream().map(Finding::text).toList();
  }

  private static List<String> faults(String yaml) {
    LoadResult result = parse(yaml);
    assertThat(result).isInstanceOf(LoadResult.Invalid.class);
    return result.findings().stream().filter(Finding::isFault).map(Finding::text).toList();
  }

  /**
   * The minimal file with a line of the chain or provider put in front of the line that begins so.
   */
  private static String with(String line, String before) {
    return MINIMAL.replace(before, line + "\n" + before);
  }

  private static String inChain(String yaml) {
    return MINIMAL.replace("    providers:\n", yaml.indent(4) + "    providers:\n");
  }

  private static String inProvider(String yaml) {
    return MINIMAL + yaml.indent(8);
  }

  @Test
  void fillsWhatIsLeftOutWithTheDefaultsOfTheDomain() {
    Provider node =
        new Provider(
            ProviderId.of("node"),
            "node",
            Templated.parse("https://node.example/${KEY}"),
            null,
            Provider.DEFAULT_PRIORITY,
            true,
            true,
            Map.of(),
            null,
            Sharing.SHARED,
            Capabilities.ALL);
    ChainProfile ethereum = ChainProfile.of(ChainId.of(1), ChainName.of("ethereum"), List.of(node));

    assertThat(valid(MINIMAL))
        .isEqualTo(new Profile(ProfileSlug.of("test"), "Test", 100, 500, List.of(ethereum)));
  }

  @Test
  void keepsVariablesOfSecretsAndReplacesTheOthers() {
    Profile profile =
        valid(with("rps_limit: ${RPS}", "chains:").replace("name: Test", "name: ${RPS:-x} of it"));

    assertThat(profile.rpsLimit()).isEqualTo(7);
    assertThat(profile.name()).isEqualTo("7 of it");
    assertThat(profile.chains().getFirst().providers().getFirst().url())
        .isEqualTo(Templated.parse("https://node.example/${KEY}"));
    assertThat(valid(inProvider("archival: \"${FLAG}\"")).chains().getFirst().providers())
        .extracting(Provider::archival)
        .containsExactly(false);
  }

  @Test
  void reportsEveryFaultAtOnceWithPlaceValueExpectationAndNearestKey() {
    String yaml =
        """
        nam: Test
        slug: a b
        rps_limit: fast
        chains:
          ethereum:
            chain_id: 0
            max_lag_blocks: 3
            selection:
              max_lag_bloks: 3
              on_all_lagging: rejekt
            providers:
              - id: one
                urll: https://one.example
              - id: two
                url: ftp://two.example
                archival: yes
              - id: two
                url: https://two.example
        """;

    assertThat(faults(yaml))
        .containsExactly(
            "a.yml:1:1: fault: nam: unknown key; did you mean 'name'?",
            "a.yml:1:1: fault: name: is missing; must be text",
            "a.yml:2:7: fault: slug: 'a b': must be 1 to 128 letters, digits, '.', '_' or '-',"
                + " beginning with a letter or digit",
            "a.yml:3:12: fault: rps_limit: 'fast': must be a whole number from 0 to 10000000",
            "a.yml:6:15: fault: chains.ethereum.chain_id: '0': must be a whole number, 1 or more",
            "a.yml:7:5: fault: chains.ethereum.max_lag_blocks: unknown key; it belongs to"
                + " chains.<chain>.selection",
            "a.yml:9:7: fault: chains.ethereum.selection.max_lag_bloks: unknown key; did you mean"
                + " 'max_lag_blocks'?",
            "a.yml:10:23: fault: chains.ethereum.selection.on_all_lagging: 'rejekt': must be one of"
                + " serve_least_lagging, reject; did you mean 'reject'?",
            "a.yml:12:9: fault: chains.ethereum.providers[0]: must have at least one of url,"
                + " ws_url",
            "a.yml:13:9: fault: chains.ethereum.providers[0].urll: unknown key; did you mean"
                + " 'url'?",
            "a.yml:15:14: fault: chains.ethereum.providers[1].url: must be a URL that starts with"
                + " http:// or https://",
            "a.yml:16:19: fault: chains.ethereum.providers[1].archival: 'yes': must be true or"
                + " false; did you mean 'true'?",
            "a.yml:17:13: fault: chains.ethereum.providers[2].id: 'two': is the id of another"
                + " provider of this chain already");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "chain_id: 1|chain_id: 0123|in decimal digits, without leading zeros",
        "chain_id: 1|chain_id: 0x1|in decimal digits, without leading zeros",
        "chain_id: 1|chain_id: 1_000|in decimal digits, without leading zeros",
        "chain_id: 1|chain_id: 12:30|must be a whole number",
        "chain_id: 1|chain_id: \"1\"|without quotes",
        "chain_id: 1|chain_id: 1.0|must be a whole number",
        "chain_id: 1|chain_id: 9223372036854775808|must be a whole number, 1 or more",
        "chain_id: 1|chain_id:|is empty; must be",
        "chain_id: 1|chain_id: [1]|is a list; must be",
        "chain_id: 1|chain_id: ${KEY}|must be a whole number",
        "slug: test|slug: 123|is a number in YAML; must be 1 to 128 letters",
        "slug: test|slug: true|is a boolean in YAML; must be 1 to 128 letters",
        "name: Test|name: 1e3|is a number in YAML; must be text, in quotes",
        "name: Test|name: ' '|' ': must be text",
        "name: Test|name: ${KEY|'${' without a closing '}'",
        "name: Test|name: ${UNSET}|environment variable not set: UNSET",
        "url: https|url: ${UNSET}https|environment variable not set: UNSET",
        "url: https|url: ${BAD}https|must be a URL that starts with http:// or https://",
        "- id: node|- id: !!int 5|YAML tags are not used here",
        "slug: test|<<: {slug: test}|merge keys are not part of YAML 1.2"
      })
  void refusesValuesOfAnotherTypeOrForm(String line, String instead, String expected) {
    assertThat(faults(MINIMAL.replace(line, instead)))
        .anySatisfy(text -> assertThat(text).contains(expected));
  }

  @Test
  void takesWhatOldYamlReadAsBooleanOrTimeForText() {
    assertThat(valid(MINIMAL.replace("name: Test", "name: no")).name()).isEqualTo("no");
    assertThat(valid(MINIMAL.replace("name: Test", "name: 12:30:45")).name()).isEqualTo("12:30:45");
    assertThat(valid(MINIMAL.replace("name: Test", "name: '0123'")).name()).isEqualTo("0123");
  }

  @Test
  void refusesAKeyThatIsThereTwice() {
    assertThat(faults(with("slug: other", "chains:")))
        .containsExactly("a.yml:3:1: fault: slug: the key is there twice");
  }

  @Test
  void refusesChainsThatUrlsCouldNotTellApart() {
    String second =
        """
          mainnet:
            chain_id: 1
            aliases: [Ethereum, l1, L1]
            providers: [{id: node, url: https://node.example}]
        """;

    assertThat(faults(MINIMAL + second))
        .containsExactly(
            "a.yml:10:15: fault: chains.mainnet.chain_id: '1': is the chain_id of 'ethereum'"
                + " already",
            "a.yml:11:15: fault: chains.mainnet.aliases[0]: 'Ethereum': is a name or alias of"
                + " 'ethereum' already",
            "a.yml:11:29: fault: chains.mainnet.aliases[2]: 'L1': is a name or alias of 'mainnet'"
                + " already");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fastest", "provider", "profile", "latency-weighted", "42", "a/b"})
  void refusesChainNamesThatRoutesCouldNotTellFromTheirOwnWords(String name) {
    assertThat(faults(MINIMAL.replace("ethereum:", name + ":"))).isNotEmpty();
    assertThat(faults(inChain("aliases: ['" + name + "']"))).isNotEmpty();
  }

  @Test
  void refusesOverridesThatNameUnknownProviders() {
    assertThat(faults(inChain("routing: {method_overrides: {eth_call: {providers: [nod, node]}}}")))
        .singleElement()
        .asString()
        .endsWith(
            "eth_call.providers[0]: 'nod': must be the id of a provider of this chain; did you mean"
                + " 'node'?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "chains: {}",
        "chains: {ethereum: {chain_id: 1, providers: []}}",
        "chains: []",
        "chains:",
        "chains: none"
      })
  void refusesNothingWhereSomethingIsNeeded(String chains) {
    assertThat(faults("name: Test\nslug: test\n" + chains)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing\n",
        "just text",
        "[1, 2]",
        "a: [",
        "a: b: c",
        "\t- a",
        "--- {a: 1}\n--- {b: 2}\n",
        "a: &a [*a]",
        "a: *b",
        "{? [1] : 2}",
        "%YAML 9.9\n---\na: 1",
        "a: \u0000"
      })
  void refusesWhatIsNotOneYamlMapping(String yaml) {
    assertThat(faults(yaml)).isNotEmpty();
  }

  @Test
  void staysCalmWithDeepAndExplodingYaml() {
    assertThat(faults("[".repeat(100_000)))
        .singleElement()
        .asString()
        .contains("nested more than 32 levels deep");
    StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      laughs.append("a%d: &a%d [".formatted(i, i));
      laughs.append(("*a" + (i - 1) + ", ").repeat(10)).append("]\n");
    }
    assertThat(faults(laughs.toString()))
        .anySatisfy(text -> assertThat(text).contains("expands to more than 2000000 values"));
  }

  @Test
  void acceptsAnchorsAndAliases() {
    String yaml =
        """
        name: Test
        slug: test
        chains:
          one:
            chain_id: 1
            selection: &strict {max_lag_blocks: 1}
            providers: &same [{id: node, url: https://node.example}]
          two: {chain_id: 2, selection: *strict, providers: *same}
        """;

    assertThat(valid(yaml).chains()).extracting(c -> c.selection().maxLagBlocks()).containsOnly(1);
  }

  @Test
  void warnsOfKeysThatAreWrittenOut() {
    String yaml =
        """
        name: Test
        slug: test
        chains:
          ethereum:
            chain_id: 1
            providers:
              - id: path
                url: https://node.example/v2/Zx8Kq1LmN0pQrS7tUvWx
              - id: password
                url: https://me:secret@node.example
              - id: header
                url: https://a.example
                headers: {x-api-key: short}
              - id: bearer
                url: https://b.example
                api_key: short
              - id: fallback
                url: https://c.example
                api_key: ${KEY:-short}
              - id: fine
                url: https://ethereum-rpc.publicnode.com/v2/${KEY}
                headers: {x-api-key: "${KEY}", x-client: lasso}
        """;

    LoadResult result = parse(yaml);

    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    assertThat(result.findings()).extracting(Finding::code).containsOnly(Code.LITERAL_SECRET);
    assertThat(result.findings())
        .extracting(Finding::path)
        .containsExactly(
            "chains.ethereum.providers[0].url",
            "chains.ethereum.providers[1].url",
            "chains.ethereum.providers[2].headers.x-api-key",
            "chains.ethereum.providers[3].api_key",
            "chains.ethereum.providers[4].api_key");
  }

  @Test
  void findingsNeverShowWhatMayBeSecret() {
    String yaml =
        """
        name: Test
        slug: test
        chains:
          ethereum:
            chain_id: 1
            providers:
              - id: one
                url: httpx://node.example/Zx8Kq1LmN0pQrS7tUvWx
                ws_url: 12345678901234567890
                api_kye: Zx8Kq1LmN0pQrS7tUvWx
                headers: {"bad header": Zx8Kq1LmN0pQrS7tUvWx, x: "a\\r\\nZx8Kq1LmN0pQrS7tUvWx"}
        """;

    assertThat(faults(yaml))
        .hasSize(5)
        .noneMatch(text -> text.contains("Zx8Kq1LmN0pQrS7tUvWx") || text.contains("1234567890"));
    assertThat(faults("url: https://node.example/Zx8Kq1LmN0pQrS7tUvWx: }"))
        .noneMatch(text -> text.contains("Zx8Kq1LmN0pQrS7tUvWx"));
  }

  @Test
  void warnsOfAnUpstreamThatIsThereTwice() {
    LoadResult result =
        parse(MINIMAL + "      - id: again\n        url: HTTPS://Node.example:443/${KEY}/\n");

    assertThat(texts(result))
        .containsExactly(
            "a.yml:9:9: warning: chains.ethereum.providers[1]: is the same upstream as provider"
                + " 'node': failing over to it gains nothing");
  }

  @Test
  void missingVariablesOfSecretsMayBeAWarning() {
    String yaml = MINIMAL.replace("KEY", "ELSEWHERE");
    LoadResult result =
        new ProfileFiles(VARIABLES, ProfileFiles.Variables.MAY_BE_MISSING).parse(FILE, yaml);

    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    assertThat(texts(result)).singleElement().asString().contains("not set here: ELSEWHERE");
    assertThat(faults(yaml)).singleElement().asString().contains("not set: ELSEWHERE");
  }

  @Test
  void refusesErrorRulesThatCannotWork() {
    assertThat(
            faults(
                inProvider(
                    """
                    capabilities:
                      unsupported_categories: [debbug]
                      error_rules:
                        - category: rate_limit
                        - {message_contains: "* more", category: rate_limit}
                        - {code: 1, category: ratelimit}
                    """)))
        .satisfiesExactly(
            text -> assertThat(text).contains("'debbug'").endsWith("did you mean 'debug'?"),
            text -> assertThat(text).contains("at least one of code, message_contains"),
            text -> assertThat(text).contains("must begin with a word or a number"),
            text -> assertThat(text).endsWith("did you mean 'rate_limit'?"));
  }

  @Test
  void limitsAreBothThereOrNeither() {
    assertThat(valid(with("rps_limit: 0", "chains:")).limitsClients()).isFalse();
    assertThat(faults(with("rps_limit: 0\nburst_limit: 5", "chains:")))
        .singleElement()
        .asString()
        .contains("must both be 0 (no limit) or neither");
    assertThat(faults(with("burst_limit: 0", "chains:"))).isNotEmpty();
  }

  @Test
  void readsAProfileOfFiveThousandProviders() {
    StringBuilder yaml =
        new StringBuilder(
            "name: Many\nslug: many\nchains:\n  a:\n    chain_id: 1\n    providers:\n");
    for (int i = 0; i < 5_000; i++) {
      yaml.append("      - id: node-%d\n        url: https://node-%d.example\n".formatted(i, i));
    }

    assertThat(valid(yaml.toString()).chains().getFirst().providers()).hasSize(5_000);
  }

  @Test
  void findsFiveThousandFaultsToo() {
    StringBuilder yaml =
        new StringBuilder(
            "name: Many\nslug: many\nchains:\n  a:\n    chain_id: 1\n    providers:\n");
    yaml.append("      - id: same\n        url: nowhere\n".repeat(5_000));

    assertThat(faults(yaml.toString())).hasSize(9_999);
  }
}
