package dev.lasso.routing.errors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the error table. Its head says how a row reads; a row that doesn't read stops the process
 * at its first use, naming the line.
 */
final class RuleFile {
  private static final String RESOURCE = "rules.txt";
  private static final String TABLE_MARK = "== ";
  private static final String PHRASE_INDENT = "    ";

  private final Map<String, List<Rule>> tables = new LinkedHashMap<>();
  private List<Rule> table = new ArrayList<>();

  private RuleFile() {}

  /** The tables of the file by name, in the file's order. */
  static Map<String, RuleTable> read() {
    try (InputStream in = RuleFile.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the jar");
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads tables from text.
   *
   * @throws IllegalArgumentException when a line can't be read
   */
  static Map<String, RuleTable> parse(String text) {
    RuleFile file = new RuleFile();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      try {
        file.take(line);
      } catch (IllegalArgumentException unreadable) {
        throw new IllegalArgumentException(
            "line " + number + " of the error table: " + unreadable.getMessage(), unreadable);
      }
    }
    Map<String, RuleTable> byName = new LinkedHashMap<>();
    file.tables.forEach((name, rules) -> byName.put(name, new RuleTable(rules)));
    return byName;
  }

  private void take(String line) {
    if (line.isBlank() || line.startsWith("#")) {
      return;
    }
    if (line.startsWith(TABLE_MARK)) {
      table = new ArrayList<>();
      tables.put(line.substring(TABLE_MARK.length()).strip(), table);
    } else if (line.startsWith(PHRASE_INDENT)) {
      addPhrases(line.strip());
    } else {
      table.add(header(line));
    }
  }

  private void addPhrases(String line) {
    if (table.isEmpty()) {
      throw new IllegalArgumentException("phrases need a row to belong to");
    }
    List<Phrase> phrases = new ArrayList<>(table.getLast().phrases());
    for (String phrase : line.split("\\|", -1)) {
      if (!phrase.isBlank()) {
        phrases.add(Phrase.parse(phrase.strip()));
      }
    }
    table.set(table.size() - 1, table.getLast().withPhrases(phrases));
  }

  private static Rule header(String line) {
    String[] words = line.strip().split(" +", -1);
    if (words.length % 2 != 0) {
      throw new IllegalArgumentException("needs a name, a class, and pairs of condition");
    }
    ErrorClass errorClass =
        ErrorClass.ofWord(words[1])
            .orElseThrow(() -> new IllegalArgumentException("'" + words[1] + "' is no class"));
    NumberCondition codes = new NumberCondition.Any();
    NumberCondition statuses = new NumberCondition.Any();
    for (int i = 2; i < words.length; i += 2) {
      NumberCondition condition = NumberCondition.parse(words[i + 1]);
      switch (words[i]) {
        case "code" -> codes = condition;
        case "status" -> statuses = condition;
        default -> throw new IllegalArgumentException("'" + words[i] + "' is no condition");
      }
    }
    return new Rule(words[0], errorClass, codes, statuses, List.of());
  }
}
