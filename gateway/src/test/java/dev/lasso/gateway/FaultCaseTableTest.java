package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of fault cases in {@code docs/testing.md} names a test that is there for each case. */
class FaultCaseTableTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ROW = Pattern.compile("\\| (F\\d{3}) \\| (.+) \\|");
  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final int LAST_OF_SOCKETS = 48;

  private static Map<String, List<String>> table() throws IOException {
    Map<String, List<String>> tests = new TreeMap<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/testing.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        List<String> named = tests.computeIfAbsent(row.group(1), _ -> new ArrayList<>());
        Matcher test = TEST.matcher(row.group(2));
        while (test.find()) {
          named.add(test.group(1) + "." + test.group(2));
        }
      }
    }
    return tests;
  }

  /** Sources of test classes by class name. */
  private static Map<String, Path> testSources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<Path> roots =
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .toList();
      List<Path> sources = new ArrayList<>();
      for (Path root : roots) {
        try (Stream<Path> files = Files.walk(root)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
      return sources.stream()
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  file -> file,
                  (first, _) -> first));
    }
  }

  @Test
  void everyCaseOfHttpRoutingAndWebSocketIsNamedByATest() throws IOException {
    assertThat(table().keySet())
        .containsAll(
            IntStream.rangeClosed(1, LAST_OF_SOCKETS)
                .mapToObj(number -> String.format("F%03d", number))
                .toList());
  }

  @Test
  void everyTestThatIsNamedIsThere() throws IOException {
    Map<String, Path> sources = testSources();
    for (Map.Entry<String, List<String>> row : table().entrySet()) {
      assertThat(row.getValue()).as(row.getKey()).isNotEmpty();
      for (String test : row.getValue()) {
        int dot = test.indexOf('.');
        Path source = sources.get(test.substring(0, dot));
        assertThat(source).as(test).isNotNull();
        assertThat(Files.readString(source))
            .as(test)
            .contains("void " + test.substring(dot + 1) + "(");
      }
    }
  }
}
