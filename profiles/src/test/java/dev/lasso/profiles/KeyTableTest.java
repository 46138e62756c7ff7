package dev.lasso.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;

/** The key table, the domain and the schema have the same bounds, words and defaults. */
class KeyTableTest {
  private static final SchemaCheck SCHEMA = new SchemaCheck(ProfileSchema.write());
  private static final ProfileFiles FILES =
      new ProfileFiles(_ -> "0", ProfileFiles.Variables.MUST_BE_SET);

  /** A value for one key of the table, put into a file that has all it needs. */
  record Case(String path, Object value, boolean accepted) {}

  static Stream<Case> bounds() {
    List<Case> cases = new ArrayList<>();
    collect("", ProfileKeys.PROFILE, cases);
    return cases.stream();
  }

  private static void collect(String path, Shape shape, List<Case> cases) {
    switch (shape) {
      case Shape.Group group ->
          group
              .keys()
              .forEach(
                  key ->
                      collect(
                          path.isEmpty() ? key.name() : path + "." + key.name(),
                          key.shape(),
                          cases));
      case Shape.Entries entries -> collect(path + "." + nameFor(entries), entries.value(), cases);
      case Shape.Items items -> collect(path + "[]", items.item(), cases);
      case Shape.Whole whole -> {
        cases.add(new Case(path, whole.least(), true));
        cases.add(new Case(path, whole.most(), true));
        cases.add(new Case(path, whole.least() - 1, false));
        if (whole.most() < Long.MAX_VALUE) {
          cases.add(new Case(path, whole.most() + 1, false));
        }
        cases.add(new Case(path, "words", false));
        cases.add(new Case(path, List.of(1), false));
      }
      case Shape.Choice choice -> {
        choice.words().keySet().forEach(word -> cases.add(new Case(path, word, true)));
        cases.add(new Case(path, "no_such_word", false));
        cases.add(new Case(path, 5, false));
      }
      case Shape.Flag _ -> {
        cases.add(new Case(path, true, true));
        cases.add(new Case(path, false, true));
        cases.add(new Case(path, "true", false));
        cases.add(new Case(path, 1, false));
      }
      case Shape.Either either -> {
        either.otherwise().words().keySet().forEach(word -> cases.add(new Case(path, word, true)));
        cases.add(new Case(path, "no_such_word", false));
        cases.add(new Case(path, either.number().least(), true));
        cases.add(new Case(path, either.number().most() + 1, false));
      }
      case Shape.Text _, Shape.Secret _ -> {
        cases.add(new Case(path, 5, false));
        cases.add(new Case(path, Map.of(), false));
        cases.add(new Case(path, true, false));
      }
    }
  }

  private static String nameFor(Shape.Entries entries) {
    return switch (entries.placeholder()) {
      case "chain" -> "a";
      case "method" -> "eth_call";
      default -> "x-header";
    };
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void loaderDomainAndSchemaAgree(Case testCase) {
    Map<String, Object> file = complete();
    put(file, testCase.path(), testCase.value());
    String yaml = new Dump(DumpSettings.builder().build()).dumpToString(file);

    LoadResult result = FILES.parse(Path.of("case.yml"), yaml);
    List<String> schemaErrors = SCHEMA.errors(yaml);

    if (testCase.accepted()) {
      assertThat(result).as(() -> yaml + result).isInstanceOf(LoadResult.Valid.class);
      assertThat(schemaErrors).as(yaml).isEmpty();
    } else {
      assertThat(result).as(yaml).isInstanceOf(LoadResult.Invalid.class);
      assertThat(schemaErrors).as(yaml).isNotEmpty();
    }
  }

  private static Map<String, Object> complete() {
    Map<String, Object> provider = new LinkedHashMap<>();
    provider.put("id", "node");
    provider.put("url", "https://node.example");
    Map<String, Object> chain = new LinkedHashMap<>();
    chain.put("chain_id", 1);
    chain.put("providers", new ArrayList<Object>(List.of(provider)));
    Map<String, Object> chains = new LinkedHashMap<>();
    chains.put("a", chain);
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("name", "Test");
    file.put("slug", "test");
    file.put("chains", chains);
    return file;
  }

  @SuppressWarnings("unchecked") // the tree has only maps with text keys and lists
  private static void put(Map<String, Object> file, String path, Object value) {
    Map<String, Object> at = file;
    String[] keys = path.split("\\.", -1);
    for (int i = 0; i < keys.length; i++) {
      boolean list = keys[i].endsWith("[]");
      String key = list ? keys[i].substring(0, keys[i].length() - 2) : keys[i];
      boolean last = i == keys.length - 1;
      if (last) {
        at.put(key, list ? new ArrayList<>(List.of(value)) : value);
      } else if (list) {
        List<Object> items = (List<Object>) at.computeIfAbsent(key, _ -> new ArrayList<Object>());
        if (items.isEmpty()) {
          items.add(new LinkedHashMap<String, Object>());
        }
        at = (Map<String, Object>) items.getFirst();
      } else {
        at = (Map<String, Object>) at.computeIfAbsent(key, _ -> new LinkedHashMap<>());
      }
    }
    complement(file, at, keys[keys.length - 1], value);
  }

  /** Adds what else must be there for the value to be acceptable. */
  private static void complement(
      Map<String, Object> file, Map<String, Object> group, String key, Object value) {
    switch (key) {
      case "code[]", "message_contains[]", "http_status" -> group.put("category", "rate_limit");
      case "category" -> group.put("http_status", 402);
      case "rps_limit" -> file.put("burst_limit", value);
      case "burst_limit" -> file.put("rps_limit", value);
      default -> {}
    }
  }
}
